import type { EncodingCase } from './cases.ts';

/** Single-byte encodings, by a label of each. */
const SINGLE_BYTE = [
  ...[
    'ibm866',
    'iso-8859-2',
    'iso-8859-3',
    'iso-8859-4',
    'iso-8859-5',
    'iso-8859-6',
    'iso-8859-7',
    'iso-8859-8',
  ],
  ...[
    'iso-8859-8-i',
    'iso-8859-10',
    'iso-8859-13',
    'iso-8859-14',
    'iso-8859-15',
    'iso-8859-16',
    'koi8-r',
    'koi8-u',
  ],
  ...[
    'macintosh',
    'windows-874',
    'windows-1250',
    'windows-1251',
    'windows-1252',
    'windows-1253',
    'windows-1254',
  ],
  ...['windows-1255', 'windows-1256', 'windows-1257', 'windows-1258', 'x-mac-cyrillic', 'x-user-defined'],
];

/** Other labels of encodings; the standard assigns some of them to an encoding of another name. */
const ALIASES = [
  ...[
    'latin1',
    'us-ascii',
    'iso-8859-1',
    'iso8859-1',
    'l1',
    'cp1252',
    'ansi_x3.4-1968',
    'iso-8859-9',
    'iso-8859-11',
  ],
  ...[
    'tis-620',
    'dos-874',
    'cp1251',
    'csibm866',
    'greek',
    'hebrew',
    'logical',
    'visual',
    'arabic',
    'koi',
    'koi8-ru',
  ],
  ...['mac', 'x-cp1250', 'iso_8859-15', 'l9', 'UTF8', 'unicode-1-1-utf-8', 'x-unicode20utf8'],
];

/** Multi-byte encodings, with the bytes that may begin and end a pair. */
const DOUBLE_BYTE = [
  ...[
    'gbk',
    'gb2312',
    'gb18030',
    'chinese',
    'x-gbk',
    'big5',
    'big5-hkscs',
    'x-x-big5',
    'shift_jis',
    'windows-31j',
  ],
  ...['sjis', 'euc-jp', 'x-euc-jp', 'euc-kr', 'ks_c_5601-1987', 'windows-949', 'korean'],
];

/**
 * Pairs that Chromium does not read as the Encoding standard does: four pairs of Big5 that stand for two code points, and
 * bytes after an incomplete three-byte sequence of EUC-JP. src/decode/sniff-encoding.test.ts tests the standard's reading.
 */
const NOT_COMPARED: Readonly<Record<string, RegExp>> = {
  big5: /^88(62|64|a3|a5)$/,
  'big5-hkscs': /^88(62|64|a3|a5)$/,
  'x-x-big5': /^88(62|64|a3|a5)$/,
  'euc-jp': /^8f/,
  'x-euc-jp': /^8f/,
};

/** Documents with all, or nearly all, characters of an encoding. */
export function tableCases(): EncodingCase[] {
  return [
    ...[...SINGLE_BYTE, ...ALIASES].map((label) =>
      table(
        label,
        [...range(0x80, 0xff)].map((byte) => [byte]),
      ),
    ),
    ...DOUBLE_BYTE.map((label) => table(label, comparedPairs(label))),
    table('gb18030', fourBytes(), 'four-bytes'),
    table('gbk', fourBytes(), 'four-bytes'),
    table(
      'euc-jp',
      pairs().map((pair) => [0x8f, ...pair]),
      'three-bytes',
    ),
    table('iso-2022-jp', jisPairs(), 'jis'),
    table(
      'iso-2022-jp',
      [...range(0x21, 0x7e)].map((byte) => [0x1b, 0x28, 0x4a, byte, 0x1b, 0x28, 0x42]),
      'roman',
    ),
    table(
      'iso-2022-jp',
      [...range(0x21, 0x5f)].map((byte) => [0x1b, 0x28, 0x49, byte, 0x1b, 0x28, 0x42]),
      'katakana',
    ),
    table(
      'utf-8',
      codePoints().map((code) => [...Buffer.from(String.fromCodePoint(code))]),
    ),
    ...['utf-16le', 'utf-16', 'utf-16be', 'unicode', 'ucs-2'].map(utf16Table),
  ];
}

function table(label: string, characters: readonly (readonly number[])[], part = ''): EncodingCase {
  const start = [...Buffer.from('<!doctype html><p>')];
  const bytes = Uint8Array.from([...start, ...characters.flatMap((character) => [...character, 0x20])]);
  return { name: `table-${label}${part && `-${part}`}`, contentType: `text/html; charset=${label}`, bytes };
}

/** Combines every lead byte with every trail byte that has no meaning in markup. */
function pairs(): number[][] {
  const trails = [...range(0x30, 0x39), ...range(0x40, 0xff)];
  return [...range(0x80, 0xff)].flatMap((lead) => trails.map((trail) => [lead, trail]));
}

function comparedPairs(label: string): number[][] {
  const excluded = NOT_COMPARED[label];
  return pairs().filter((pair) => !excluded?.test(Buffer.from(pair).toString('hex')));
}

/** Four-byte sequences of GB18030: the whole basic plane, then every 97th character up to the last, and one beyond. */
function fourBytes(): number[][] {
  const last = pointerOf(0xe3, 0x32, 0x9a, 0x35);
  const beyond = pointerOf(0x90, 0x30, 0x81, 0x30);
  const pointers = [...range(0, 39_419), ...range(beyond, last, 97), last, last + 1];
  return pointers.map((pointer) => [
    0x81 + Math.floor(pointer / 12_600),
    0x30 + (Math.floor(pointer / 1_260) % 10),
    0x81 + (Math.floor(pointer / 10) % 126),
    0x30 + (pointer % 10),
  ]);
}

function pointerOf(first: number, second: number, third: number, fourth: number): number {
  return ((first - 0x81) * 10 + second - 0x30) * 1_260 + (third - 0x81) * 10 + fourth - 0x30;
}

function jisPairs(): number[][] {
  const bytes = [...range(0x21, 0x7e)];
  return bytes.map((lead) => [
    ...[0x1b, 0x24, 0x42],
    ...bytes.flatMap((trail) => [lead, trail]),
    ...[0x1b, 0x28, 0x42],
  ]);
}

/** The whole basic plane, then every 97th character; without surrogates and characters that have a meaning in markup. */
function codePoints(): number[] {
  return [...range(0x80, 0xd7ff), ...range(0xe000, 0xffff), ...range(0x1_0000, 0x10_ffff, 97), 0x10_ffff];
}

/** Encodes text, with lone surrogates too. */
function utf16Table(label: string): EncodingCase {
  const units = [...Buffer.from('<!doctype html><p>')];
  for (const unit of range(0x80, 0xffff)) units.push(unit, 0x20);
  for (const code of range(0x1_0000, 0x10_ffff, 97)) {
    const pair = String.fromCodePoint(code);
    units.push(pair.charCodeAt(0), pair.charCodeAt(1), 0x20);
  }
  const bytes = Buffer.from(Uint16Array.from(units).buffer);
  if (label === 'utf-16be') bytes.swap16();
  return { name: `table-${label}`, contentType: `text/html; charset=${label}`, bytes };
}

function* range(first: number, last: number, step = 1): Generator<number> {
  for (let value = first; value <= last; value += step) yield value;
}
