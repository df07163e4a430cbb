/** `npm run words [-- <path> …]`: refuses retired words in comments, messages and markdown, everywhere or below the paths. */
import { globSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { findRetiredWords } from './find-retired-words.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
/** Files that name the retired words, and pages of others that tests read. */
const EXCLUDED = [
  '**/node_modules/**',
  '**/dist/**',
  '**/.*/**',
  'infra/check/words/**',
  '**/test/**/pages/**',
  // Descriptions of the API: read where they are written.
  '**/_generated/**',
];

const paths = process.argv.slice(2).map((path) => relative(ROOT, resolve(path)));
const found = globSync('**/*.{ts,tsx,mjs,py,md}', { cwd: ROOT, exclude: EXCLUDED })
  .sort()
  .filter((file) => paths.length === 0 || paths.some((path) => file === path || file.startsWith(`${path}/`)))
  .flatMap((file) => findRetiredWords(file, readFileSync(resolve(ROOT, file), 'utf8')));
for (const { file, line, column, word, instead } of found)
  console.log(`${file}:${line}:${column}  "${word}": write ${instead}`);
if (found.length > 0) console.log(`\n${found.length} retired words`);
process.exitCode = found.length > 0 ? 1 : 0;
