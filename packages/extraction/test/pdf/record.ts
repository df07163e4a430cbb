import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf, type PopplerSheet, readPackagedPdfs, wordsOfPoppler } from './words.ts';

/** Records golden.json again: node test/pdf/record.ts, with poppler's pdftotext. */
const PAGES = 5;
const { stderr } = spawnSync('pdftotext', ['-v'], { encoding: 'utf8' });
const sheet: PopplerSheet = {
  poppler: /version (\S+)/.exec(stderr)?.[1] ?? '',
  pages: PAGES,
  words: Object.fromEntries(
    readPackagedPdfs().map(({ name, path }) => {
      const words = wordsOfPoppler(path, 'file', PAGES);
      if (!words) throw new Error(`pdftotext does not read ${path}.`);
      return [name, words.map(digestOf).join('')];
    }),
  ),
};
writeFileSync(join(import.meta.dirname, 'golden.json'), `${JSON.stringify(sheet, null, 2)}\n`);
