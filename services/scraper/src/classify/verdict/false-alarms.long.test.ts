import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Budget, parseDocument, readPageFacts } from '@gleaner/extraction';
import { readArticles, readDocuments } from '@gleaner/test-kit';
import { expect, it } from '@jest/globals';
import { judgePage } from './judge-page.ts';

const ROOT = resolve(import.meta.dirname, '../../../../..');
/** Documentation of an HTTP server, whose pages are about status codes, logins and access, and of git. */
const PACKAGES = ['apache2-doc', 'git-doc'];
const MAX_PAGES = 3000;
/** Shorter pages of the replacement for Debian's packages are suites of tests, which scripts fill. */
const MIN_CHARS = 4000;

/** Returns the pages of the folder in VERDICT_PAGES, or those of the packages and of newspapers. */
function readPages(): readonly string[] {
  const folder = process.env.VERDICT_PAGES;
  if (folder === undefined)
    return [...readArticles(), ...PACKAGES.flatMap((name) => readDocuments(ROOT, MAX_PAGES, name))];
  return globSync('**/*.html{,.??}', { cwd: folder }).map((path) => readFileSync(join(folder, path), 'utf8'));
}

it('calls every page of documentation and every article content', () => {
  const pages = readPages().filter(({ length }) => length >= MIN_CHARS);
  const url = 'https://docs.example/page';
  const alarms = pages.flatMap((source) => {
    const facts = readPageFacts(parseDocument(source), new Budget());
    const verdict = judgePage({ facts, source, askedUrl: url, url, engine: 'http' });
    return verdict.page === 'content' ? [] : [{ ...verdict, title: facts.title }];
  });
  expect(alarms).toEqual([]);
  // Debian's packages alone have more than 2000 of them.
  expect(pages.length).toBeGreaterThan(400);
}, 300_000);
