import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FILES = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
/** Files and their folders, each behind a slash. */
const PLACES = [...new Set(FILES.flatMap((file) => [file, ...foldersOf(file)]))].map((place) => `/${place}`);
/** The changelog tells of files as they were. */
const PAGES = FILES.filter((file) => file.endsWith('.md') && file !== 'CHANGELOG.md');

/** Words in code marks that name a place of the repository: in one of its folders, or a source file. */
const IS_PLACE = [
  /^(?:packages|services|infra|docs)\/[\w./@-]+$/,
  /^src\/[\w./-]+$/,
  /^[\w./@-]+\.(?:ts|tsx|mjs|py)$/,
];

it.each(PAGES)('%s names no code that does not exist', (page) => {
  const text = readFileSync(new URL(page, `file://${ROOT}`), 'utf8');
  const named = [...text.matchAll(/`([^`\n]+)`/g)].map(([, word = '']) => word.replace(/\/$/, ''));
  const places = named.filter((word) => IS_PLACE.some((pattern) => pattern.test(word)));
  expect(places.filter((place) => !PLACES.some((known) => known.endsWith(`/${place}`)))).toEqual([]);
});

function foldersOf(file: string): string[] {
  const folder = dirname(file);
  return folder === '.' ? [] : [folder, ...foldersOf(folder)];
}
