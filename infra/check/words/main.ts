/** `npm run words [-- <path> …]`: refuses retired words in comments, messages and markdown, and crowded doc comments. */
import { globSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { findCrowdedComments } from './find-crowded-comments.ts';
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
  '**/packages/client/src/generated/**',
];

const paths = process.argv.slice(2).map((path) => relative(ROOT, resolve(path)));
const sources = globSync('**/*.{ts,tsx,mjs,py,md}', { cwd: ROOT, exclude: EXCLUDED })
  .sort()
  .filter((file) => paths.length === 0 || paths.some((path) => file === path || file.startsWith(`${path}/`)))
  .map((file) => ({ file, source: readFileSync(resolve(ROOT, file), 'utf8') }));

const found = sources.flatMap(({ file, source }) => [
  ...findRetiredWords(file, source),
  ...findCrowdedComments(file, source),
]);
for (const { file, line, column, word, instead } of found)
  console.log(`${file}:${line}:${column}  "${word}": write ${instead}`);
if (found.length > 0) console.log(`\n${found.length} places to rewrite`);
process.exitCode = found.length > 0 ? 1 : 0;
