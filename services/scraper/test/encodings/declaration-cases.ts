import type { EncodingCase } from './cases.ts';

/** Bytes that are another character in each of the competing encodings, and so show which one was used. */
const TELLING = 'c3a9e0e1b1e6';

/** Declarations of an encoding, alone and in conflict with each other. */
const DECLARATIONS: Readonly<Record<string, readonly [contentType: string, head: string]>> = {
  header: ['text/html; charset=koi8-r', ''],
  'header-quoted': ['text/html; charset="koi8-r"', ''],
  'header-upper-case': ['text/html; CHARSET=KOI8-R', ''],
  'header-spaces': ['text/html ;  charset=koi8-r ', ''],
  'header-second-parameter': ['text/html; version=5; charset=koi8-r', ''],
  'header-twice': ['text/html; charset=koi8-r; charset=utf-8', ''],
  'header-unknown-then-meta': ['text/html; charset=martian', '<meta charset=koi8-r>'],
  'header-empty-then-meta': ['text/html; charset=', '<meta charset=koi8-r>'],
  'header-against-meta': ['text/html; charset=koi8-r', '<meta charset=utf-8>'],
  'bom-against-header': ['text/html; charset=koi8-r', '\u00ef\u00bb\u00bf'],
  'bom-against-meta': ['text/html', '\u00ef\u00bb\u00bf<meta charset=koi8-r>'],
  meta: ['text/html', '<meta charset=koi8-r>'],
  'meta-quoted': ['text/html', "<meta charset='koi8-r'/>"],
  'meta-upper-case': ['text/html', '<META CHARSET="KOI8-R">'],
  'meta-with-spaces': ['text/html', '<meta charset = " koi8-r ">'],
  'meta-slash': ['text/html', '<meta/charset=koi8-r>'],
  'meta-http-equiv': ['text/html', '<meta http-equiv=Content-Type content="text/html; charset=koi8-r">'],
  'meta-content-first': ['text/html', '<meta content="text/html; charset=koi8-r" http-equiv=content-type>'],
  'meta-content-quoted': [
    'text/html',
    '<meta http-equiv=content-type content=\'text/html; charset="koi8-r"\'>',
  ],
  'meta-content-charset-twice': [
    'text/html',
    '<meta http-equiv=content-type content="charset charset=koi8-r;x">',
  ],
  'meta-utf-16-means-utf-8': ['text/html', '<meta charset=utf-16>'],
  'meta-utf-16be-means-utf-8': ['text/html', '<meta charset=utf-16be>'],
  'meta-x-user-defined': ['text/html', '<meta charset=x-user-defined>'],
  'meta-twice': ['text/html', '<meta charset=koi8-r><meta charset=utf-8>'],
  'meta-unknown-then-known': ['text/html', '<meta charset=martian><meta charset=koi8-r>'],
  'meta-in-comment': ['text/html', '<!-- <meta charset=utf-8> --><meta charset=koi8-r>'],
  'meta-after-short-comment': ['text/html', '<!--><meta charset=koi8-r>'],
  'meta-in-attribute': ['text/html', '<html title="<meta charset=utf-8>"><meta charset=koi8-r>'],
  'meta-in-title': ['text/html', '<title><meta charset=koi8-r></title><meta charset=utf-8>'],
  'meta-in-script': ['text/html', '<script>"<meta charset=koi8-r>"</script><meta charset=windows-1251>'],
  'meta-in-style': ['text/html', '<style><meta charset=koi8-r></style><meta charset=windows-1251>'],
  'meta-in-script-without-end': ['text/html', '<meta charset=koi8-r><script><meta charset=utf-8>'],
  'meta-after-doctype-and-pi': ['text/html', '<!doctype html><?php x ?></ ><meta charset=koi8-r>'],
  'meta-in-noscript': ['text/html', '<noscript><meta charset=koi8-r></noscript>'],
  'meta-near-end-of-kilobyte': ['text/html', `${'<!---->'.padEnd(1000, ' ')}<meta charset=koi8-r>`],
  'meta-across-end-of-kilobyte': ['text/html', `${'<!---->'.padEnd(1015, ' ')}<meta charset=koi8-r>`],
  'meta-after-kilobyte': ['text/html', `${'<html><head>'.padEnd(3000, ' ')}<meta charset=koi8-r>`],
  'meta-after-long-comment': ['text/html', `<!--${'x'.repeat(5000)}--><meta charset=koi8-r>`],
  'meta-after-long-title': ['text/html', `<title>${'x'.repeat(3000)}</title><meta charset=koi8-r>`],
  'xml-declaration': ['text/html', '<?xml version="1.0" encoding="koi8-r"?>'],
  'xml-declaration-against-meta': [
    'text/html',
    '<?xml version="1.0" encoding="koi8-r"?><meta charset=windows-1251>',
  ],
};

/** The same for XHTML, whose meta elements do not count. */
const XML_DECLARATIONS: Readonly<Record<string, readonly [contentType: string, head: string]>> = {
  header: ['application/xhtml+xml; charset=koi8-r', ''],
  'header-against-declaration': [
    'application/xhtml+xml; charset=koi8-r',
    '<?xml version="1.0" encoding="windows-1251"?>',
  ],
  'header-unknown': [
    'application/xhtml+xml; charset=martian',
    '<?xml version="1.0" encoding="windows-1251"?>',
  ],
  'bom-against-header': ['application/xhtml+xml; charset=koi8-r', '\u00ef\u00bb\u00bf'],
  declaration: ['application/xhtml+xml', '<?xml version="1.0" encoding="koi8-r"?>'],
  'declaration-single-quoted': ['text/xml', "<?xml version='1.0' encoding = 'KOI8-R' standalone='yes'?>"],
  'declaration-utf-16-means-utf-8': ['application/xml', '<?xml version="1.0" encoding="utf-16"?>'],
  none: ['application/xhtml+xml', ''],
  'meta-is-not-asked': ['application/xhtml+xml', ''],
};

const META: Readonly<Record<string, string>> = { 'meta-is-not-asked': '<meta charset="koi8-r"/>' };

/** Documents with last bytes that differ by the declaration in use. */
export function declarationCases(): EncodingCase[] {
  return [...htmlCases(), ...xmlCases()];
}

function xmlCases(): EncodingCase[] {
  return Object.entries(XML_DECLARATIONS).map(([name, [contentType, head]]) => ({
    name: `declared-in-xhtml-${name}`,
    contentType,
    bytes: Buffer.concat([
      Buffer.from(`${head}<html xmlns="http://www.w3.org/1999/xhtml">${META[name] ?? ''}<p>`, 'latin1'),
      Buffer.from('c3a9', 'hex'),
      Buffer.from('</p></html>'),
    ]),
  }));
}

function htmlCases(): EncodingCase[] {
  return Object.entries(DECLARATIONS).map(([name, [contentType, head]]) => ({
    name: `declared-${name}`,
    contentType,
    bytes: Buffer.concat([Buffer.from(`${head}<p>`, 'latin1'), Buffer.from(TELLING, 'hex')]),
  }));
}
