/**
 * `npm run words`: refuses retired words in comments, messages and markdown.
 * `npm run words -- <path>` also lists what a pending folder holds, `npm run words -- --count` counts by folder.
 */
import { globSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { type Finding, findRetiredWords } from './find-retired-words.ts';
import { PENDING } from './pending.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
/** Files that name the retired words, and pages of others that tests read. */
const EXCLUDED = [
  '**/node_modules/**',
  '**/dist/**',
  '**/.*/**',
  'infra/check/words/**',
  '**/test/**/pages/**',
];

const args = process.argv.slice(2);
const findings = readFindings();
if (args.includes('--count')) printCounts(findings);
else if (args.length > 0)
  report(findings.filter(({ file }) => args.some((path) => isIn(file, normalize(path)))));
else report(findings.filter(({ file }) => !PENDING.some((folder) => isIn(file, folder))));

function readFindings(): Finding[] {
  return globSync('**/*.{ts,tsx,mjs,md}', { cwd: ROOT, exclude: EXCLUDED })
    .sort()
    .flatMap((file) => findRetiredWords(file, readFileSync(resolve(ROOT, file), 'utf8')));
}

function report(found: readonly Finding[]): void {
  for (const { file, line, column, word, instead } of found) {
    console.log(`${file}:${line}:${column}  "${word}": write ${instead}`);
  }
  if (found.length > 0) console.log(`\n${found.length} retired words`);
  process.exitCode = found.length > 0 ? 1 : 0;
}

function printCounts(found: readonly Finding[]): void {
  const counts = new Map(PENDING.map((folder) => [folder, 0]));
  for (const { file } of found) {
    const folder = folderOf(file);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  for (const [folder, count] of [...counts].sort()) {
    const note = count === 0 ? 'done: remove it from infra/check/words/pending.ts' : '';
    console.log(`${String(count).padStart(6)}  ${folder}  ${note}`.trimEnd());
  }
  console.log(`${String(found.length).padStart(6)}  in all`);
}

/** Returns the package of a file, the folder of `docs` or `infra`, or the file itself at the root. */
function folderOf(file: string): string {
  const [top = '', second = ''] = file.split('/');
  return top === 'docs' ? top : second ? `${top}/${second}` : file;
}

function isIn(file: string, path: string): boolean {
  return path === '' || file === path || file.startsWith(`${path}/`);
}

function normalize(path: string): string {
  return relative(ROOT, resolve(path));
}
