import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import {
  compare,
  digestOf,
  digestsIn,
  type PopplerSheet,
  readPackagedPdfs,
  shareOf,
  wordsOfGleaner,
} from './words.ts';

const SHEET: PopplerSheet = JSON.parse(readFileSync(join(import.meta.dirname, 'golden.json'), 'utf8'));

it.each(readPackagedPdfs())('$name has the words that pdftotext reads, in order', async ({ name, path }) => {
  const theirs = digestsIn(SHEET.words[name] ?? '');
  expect(theirs.length).toBeGreaterThan(1000);
  const ours = (await wordsOfGleaner(path, SHEET.pages)).map(digestOf);
  expect(shareOf(compare(ours, theirs))).toBeGreaterThanOrEqual(0.95);
});
