import type { EncodingCase } from './cases.ts';

/**
 * Invalid bytes of each encoding, in hexadecimal, between `<p>` and the end of the document. UTF-16 that ends in the middle
 * of a character is not compared: Chromium drops it, where the Encoding standard has U+FFFD.
 */
const MALFORMED: readonly (readonly [label: string, ...bodies: string[]])[] = [
  [
    'utf-8',
    'c3',
    'c328',
    'eda080',
    'f0808080',
    'f09f9861',
    'f5808080',
    'c0af',
    'e282',
    'fefe',
    'f4908080',
    '80bf',
  ],
  ['utf-16le', '3c0070003e0000d86100', '3c0070003e0000dc6100', '3c0070003e0000d800d86100'],
  ['utf-16be', '003c0070003ed8000061', '003c0070003edc000061'],
  ['windows-1253', 'aad2ff'],
  ['shift_jis', '8140ff', '81', '8120', 'fc4c', 'a0fdfeff', '813c62'],
  ['euc-jp', 'a1', 'a120', '8fa1', '8fa120', '8ee0', 'a4ff', '8f3c62'],
  [
    'iso-2022-jp',
    '1b2442',
    '1b244221',
    '1b24422120',
    '1b24',
    '1b2842',
    '80',
    '1b24421b2842',
    '0e0f',
    '1b28',
    '1b244224331b284a5c7e',
  ],
  ['euc-kr', 'a1', 'fe3c62', 'c9a1', '80ff', 'a120', 'c6fe', '8141', 'fefe'],
  ['gbk', '813c62', '80ff', '81', '8130', '81308130', 'fe50', 'a2e3'],
  ['gb18030', '813081', '8130813c62', '80ff', '8431a530', 'fe39fe39', 'e3329a36', '8135f437', 'a6d9a6ec'],
  ['big5', '8030', '81', '813c62', 'fefe', 'c6a1', 'a145a14e'],
  ['replacement', '6162'],
  ['iso-2022-kr', '1b24294361'],
  ['hz-gb-2312', '7e7b3c'],
  ['iso-2022-cn', '0e0f'],
];

/** Documents with bytes that are not valid in the encoding of their header. */
export function malformedCases(): EncodingCase[] {
  return MALFORMED.flatMap(([label, ...bodies]) =>
    bodies.map((body) => ({
      name: `malformed-${label}-${body}`,
      contentType: `text/html; charset=${label}`,
      bytes: Buffer.from(label.startsWith('utf-16') ? body : `3c703e${body}`, 'hex'),
    })),
  );
}
