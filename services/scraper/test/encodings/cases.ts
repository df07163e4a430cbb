import { routesOf } from '@gleaner/test-kit';
import { declarationCases } from './declaration-cases.ts';
import { malformedCases } from './malformed-cases.ts';
import { tableCases } from './table-cases.ts';

/** One document as a server sends it. */
export interface EncodingCase {
  /** Describes the case; also its path. */
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** All documents whose decoding is compared with Chromium's; each declares its encoding. */
export const ENCODING_CASES: readonly EncodingCase[] = [
  ...tableCases(),
  ...declarationCases(),
  ...malformedCases(),
];

/** A site that has every case at its name. */
export const CASE_ROUTES = routesOf(
  Object.fromEntries(
    ENCODING_CASES.map(({ name, bytes, contentType }) => [
      `/${name}`,
      { body: bytes, headers: { 'content-type': contentType } },
    ]),
  ),
);
