import { declarationCases } from './declaration-cases.ts';
import { malformedCases } from './malformed-cases.ts';
import { tableCases } from './table-cases.ts';

/** One document as a server sends it. */
export interface EncodingCase {
  /** What is special about it; also its path. */
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** Every document on which decoding is compared with Chromium's; all declare their encoding. */
export const ENCODING_CASES: readonly EncodingCase[] = [
  ...tableCases(),
  ...declarationCases(),
  ...malformedCases(),
];
