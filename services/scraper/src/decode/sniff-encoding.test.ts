import { describe, expect, it } from '@jest/globals';
import { decodeBody, sniffEncoding } from './sniff-encoding.ts';

const hex = (text: string) => Buffer.from(text, 'hex');

function decoded(bytes: Uint8Array, contentType: string | undefined) {
  const encoding = sniffEncoding(bytes, contentType);
  return { text: decodeBody(bytes, encoding), encoding };
}

describe('decodeBody by label in Content-Type', () => {
  // Expected texts are from the index tables of the Encoding standard (https://encoding.spec.whatwg.org/#indexes).
  it.each([
    ['utf-8', 'c3a9e282acf09f9880', 'é€😀', 'utf-8'],
    ['UTF8', 'c3a9', 'é', 'utf-8'],
    ['iso-8859-1', '80859f', '€…Ÿ', 'windows-1252'],
    ['latin1', '8182838485868788898a8b8c8d8e8f', '\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f', 'windows-1252'],
    ['windows-1252', '909192939495969798999a9b9c9d9e9f', '\x90‘’“”•–—˜™š›œ\x9džŸ', 'windows-1252'],
    ['us-ascii', 'e9', 'é', 'windows-1252'],
    ['windows-1250', '8a9ab9', 'Ššą', 'windows-1250'],
    ['windows-1251', 'cff0e8e2e5f2', 'Привет', 'windows-1251'],
    ['windows-1253', 'c1ebf6e1', 'Αλφα', 'windows-1253'],
    ['windows-1254', 'd0ddfe', 'Ğİş', 'windows-1254'],
    ['iso-8859-9', 'd0ddfe', 'Ğİş', 'windows-1254'],
    ['windows-1255', 'f9ece5ed', 'שלום', 'windows-1255'],
    ['windows-1256', 'e3d1cdc8c7', 'مرحبا', 'windows-1256'],
    ['windows-1257', 'e0e8f0', 'ąčš', 'windows-1257'],
    ['windows-1258', 'd0f0', 'Đđ', 'windows-1258'],
    ['windows-874', 'cac7d1cab4d5', 'สวัสดี', 'windows-874'],
    ['tis-620', '85', '…', 'windows-874'],
    ['iso-8859-2', 'b1e6ea', 'ąćę', 'iso-8859-2'],
    ['iso-8859-3', 'a1b1', 'Ħħ', 'iso-8859-3'],
    ['iso-8859-4', 'b1ba', 'ąē', 'iso-8859-4'],
    ['iso-8859-5', 'bfe0d8d2d5e2', 'Привет', 'iso-8859-5'],
    ['iso-8859-6', 'd3e4c7e5', 'سلام', 'iso-8859-6'],
    ['iso-8859-7', 'c1e1a4', 'Αα€', 'iso-8859-7'],
    ['iso-8859-8', 'f9ece5ed', 'שלום', 'iso-8859-8'],
    ['iso-8859-8-i', 'f9', 'ש', 'iso-8859-8-i'],
    ['iso-8859-10', 'bae8', 'šč', 'iso-8859-10'],
    ['iso-8859-13', 'e0f0', 'ąš', 'iso-8859-13'],
    ['iso-8859-14', 'a1f0', 'Ḃŵ', 'iso-8859-14'],
    ['iso-8859-15', 'a4a6a8', '€Šš', 'iso-8859-15'],
    ['iso-8859-16', 'a4aababa', '€Șșș', 'iso-8859-16'],
    ['koi8-r', 'f0d2c9d7c5d4', 'Привет', 'koi8-r'],
    ['koi8-u', 'a4a6a7', 'єії', 'koi8-u'],
    ['macintosh', '8e8adb', 'éä€', 'macintosh'],
    ['x-mac-cyrillic', '8ff0e8', 'При', 'x-mac-cyrillic'],
    ['ibm866', '8fe0a8a2a5e2', 'Привет', 'ibm866'],
    ['gbk', 'c4e3bac3', '你好', 'gbk'],
    ['gb2312', 'c4e3bac380', '你好€', 'gbk'],
    ['gb18030', '813081308135f436', '\x80Ḿ', 'gb18030'],
    ['gb18030', '9439da33', '💩', 'gb18030'],
    ['big5', 'a741a66e', '你好', 'big5'],
    ['big5', '8862', 'Ê̄', 'big5'],
    ['big5-hkscs', 'fa40', '𠕇', 'big5'],
    ['shift_jis', '82b182f182c982bf82cd', 'こんにちは', 'shift_jis'],
    ['shift_jis', 'b1b2b3', 'ｱｲｳ', 'shift_jis'],
    ['windows-31j', '878a', '㈱', 'shift_jis'],
    ['euc-jp', 'a4b3a4f3a4cba4c1a4cf', 'こんにちは', 'euc-jp'],
    ['euc-jp', '8fb0a1', '丂', 'euc-jp'],
    ['euc-jp', '8eb1', 'ｱ', 'euc-jp'],
    ['iso-2022-jp', '1b244224333473244b1b2842', 'こ寄に', 'iso-2022-jp'],
    ['euc-kr', 'bec8b3e7c7cfbcbcbfe4', '안녕하세요', 'euc-kr'],
    ['euc-kr', '8141', '갂', 'euc-kr'],
    ['ks_c_5601-1987', 'c6fe', '퐁', 'euc-kr'],
    ['utf-16le', '68006900', 'hi', 'utf-16le'],
    ['utf-16', '68006900', 'hi', 'utf-16le'],
    ['utf-16be', '00680069', 'hi', 'utf-16be'],
    ['x-user-defined', '80ff', '\uf780\uf7ff', 'x-user-defined'],
    ['iso-2022-kr', '68656c6c6f', '\ufffd', 'replacement'],
    ['hz-gb-2312', '7e7b', '\ufffd', 'replacement'],
  ])('reads %s %s as %j', (label, content, text, encoding) => {
    expect(decoded(hex(content), `text/html; charset=${label}`)).toEqual({ text, encoding });
  });
});

describe('decodeBody with invalid bytes', () => {
  it.each([
    ['utf-8', 'c3', '\ufffd'],
    ['utf-8', 'eda080', '\ufffd\ufffd\ufffd'],
    ['utf-8', 'f0808080', '\ufffd\ufffd\ufffd\ufffd'],
    ['utf-8', 'f09f9861', '\ufffda'],
    ['windows-1253', 'aa', '\ufffd'],
    ['shift_jis', '8140ff', '\u3000\ufffd'],
    ['euc-kr', 'a1', '\ufffd'],
    ['euc-kr', 'fe3c', '\ufffd<'],
    ['gbk', '813c', '\ufffd<'],
    ['big5', '8030', '\ufffd0'],
    ['utf-16le', '00d86100', '\ufffda'],
    ['utf-16le', '61', '\ufffd'],
  ])('reads %s %s as %j', (label, content, text) => {
    expect(decoded(hex(content), `text/html; charset=${label}`).text).toBe(text);
  });
});

describe('decodeBody by precedence', () => {
  const E_ACUTE_UTF8 = 'c3a9';
  const document = (head: string, content = 'e9') =>
    Buffer.concat([Buffer.from(head, 'latin1'), hex(content)]);
  const encodingOf = (body: Buffer, contentType?: string) => decoded(body, contentType).encoding;

  it('prefers a byte order mark to everything else, and drops it from the text', () => {
    expect(decoded(hex(`efbbbf${E_ACUTE_UTF8}`), 'text/html; charset=windows-1251')).toEqual({
      text: 'é',
      encoding: 'utf-8',
    });
    expect(decoded(hex('fffe6100'), 'text/html; charset=utf-8')).toEqual({
      text: 'a',
      encoding: 'utf-16le',
    });
    expect(decoded(hex('feff0061'), undefined)).toEqual({ text: 'a', encoding: 'utf-16be' });
  });

  it.each([
    'text/html;charset=koi8-r',
    'text/html; charset="koi8-r"',
    'text/html; Charset=koi8-r; charset=utf-8',
    'text/html; foo=bar ; charset=koi8-r',
    'text/html; charset= koi8-r ',
    'text/html; charset="koi8\\-r"',
    '; charset=koi8-r',
  ])('prefers the header %j to the meta', (contentType) => {
    expect(encodingOf(document('<meta charset=utf-8>'), contentType)).toBe('koi8-r');
  });

  it.each([
    'text/html; charset=martian',
    'text/html; charset=',
    'text/html',
    undefined,
    'text/html; charset=""',
  ])('uses the meta when the header is %j', (contentType) => {
    expect(encodingOf(document('<meta charset=koi8-r>'), contentType)).toBe('koi8-r');
  });

  it('takes bytes that are valid UTF-8 as UTF-8, and others as windows-1252', () => {
    expect(decoded(hex(E_ACUTE_UTF8), 'text/html')).toEqual({ text: 'é', encoding: 'utf-8' });
    expect(decoded(hex('e980'), 'text/html')).toEqual({ text: 'é€', encoding: 'windows-1252' });
    expect(decoded(hex(''), undefined)).toEqual({ text: '', encoding: 'utf-8' });
  });

  it('ignores a meta in types that have none', () => {
    expect(encodingOf(document('<meta charset=koi8-r>', ''), 'text/plain')).toBe('utf-8');
    expect(encodingOf(document('{"a":"<meta charset=koi8-r>"}', ''), 'application/json')).toBe('utf-8');
  });

  it.each([
    ['<meta charset=koi8-r>', 'koi8-r'],
    ['<META CHARSET="KOI8-R">', 'koi8-r'],
    ["<meta charset='koi8-r'/>", 'koi8-r'],
    ['<meta/charset=koi8-r>', 'koi8-r'],
    ['<meta\fcharset = koi8-r >', 'koi8-r'],
    ['<html><head><title>x</title><meta name=a content=b><meta charset=koi8-r>', 'koi8-r'],
    ['<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">', 'koi8-r'],
    ['<meta content="text/html; charset=koi8-r" http-equiv=content-type>', 'koi8-r'],
    ['<meta http-equiv=content-type content=\'text/html; charset = "koi8-r"\'>', 'koi8-r'],
    ['<meta http-equiv=content-type content="charset charset=koi8-r;x">', 'koi8-r'],
    ['<meta http-equiv=content-type content="charsetcharset\t=\nkoi8-r x">', 'koi8-r'],
    ['<meta http-equiv=content-type content="charset=\' koi8-r \'charset=utf-8">', 'koi8-r'],
    ['<meta charset=utf-16>', 'utf-8'],
    ['<meta charset=x-user-defined>', 'windows-1252'],
    ['<meta charset=koi8-r charset=utf-8>', 'koi8-r'],
    ['<!-- <meta charset=utf-8> --><meta charset=koi8-r>', 'koi8-r'],
    ['<!--><meta charset=koi8-r>', 'koi8-r'],
    ['<!DOCTYPE html><?php x ?></ ><meta charset=koi8-r>', 'koi8-r'],
    ['<a title="<meta charset=utf-8>"><meta charset=koi8-r>', 'koi8-r'],
    ['<?xml version="1.0" encoding="koi8-r"?><a>', 'koi8-r'],
    ["<?xml version='1.0' encoding = 'utf-16'?><a>", 'utf-8'],
    ['<?xml version="1.0" encoding="koi8-r"?><meta charset=windows-1251>', 'windows-1251'],
    ['<\0?\0x\0m\0', 'utf-16le'],
    ['\0<\0?\0x\0m', 'utf-16be'],
  ])('finds in %j the encoding %s', (head, encoding) => {
    expect(encodingOf(document(head))).toBe(encoding);
  });

  it.each([
    '<metadata charset=koi8-r>',
    '<!-- <meta charset=koi8-r> -->',
    '<!-- <meta charset=koi8-r>',
    '<a title="<meta charset=koi8-r>">',
    '<meta content="text/html; charset=koi8-r">',
    '<meta http-equiv=refresh content="1; charset=koi8-r">',
    '<meta charset=martian http-equiv=content-type content="charset=koi8-r">',
    `<meta http-equiv=content-type content='charset="x charset=koi8-r'>`,
    `<meta http-equiv=content-type content="charset= 'x;charset=koi8-r">`,
    '<meta http-equiv=content-type content="charset=;charset=koi8-r">',
    '<meta http-equiv=content-type content="charset= ; charset=koi8-r">',
    '<meta http-equiv=content-type content="charset=martian charset=koi8-r">',
    '<meta http-equiv=content-type content="charset=">',
    '<meta charset="koi8-r',
    '</meta charset=koi8-r>',
    '<p>charset=koi8-r',
    ' <?xml version="1.0" encoding="koi8-r"?>',
  ])('finds no encoding in %j', (head) => {
    expect(encodingOf(document(head))).toBe('windows-1252');
  });

  it('finds a meta after the first kilobyte while the head continues', () => {
    const long = (filler: string) =>
      document(`<html><head>${filler.padEnd(2_000, ' ')}<meta charset=koi8-r>`);
    expect(encodingOf(long('<script>if (a < b) document.write("<p>")</script>'))).toBe('koi8-r');
    expect(encodingOf(long('<style>p { color: red }</style><link rel=x>'))).toBe('koi8-r');
    expect(encodingOf(long('</head><body><p>'))).toBe('windows-1252');
    expect(encodingOf(long('<script>"<meta charset=utf-8>"</script>'))).toBe('koi8-r');
  });

  it('reads the same text wherever the first kilobyte ends', () => {
    const body = Buffer.concat([
      Buffer.from('<meta charset=euc-kr>'),
      hex('bec8b3e7').subarray(0),
      Buffer.alloc(70_000, hex('bec8')),
    ]);
    expect(decoded(body, 'text/html').text).toBe(`<meta charset=euc-kr>안녕${'안'.repeat(35_000)}`);
  });
});
