import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readPdfs } from '@gleaner/test-kit';
import { afterAll, expect, it } from '@jest/globals';
import { compare, type Order, type Score, shareOf, wordsOfGleaner, wordsOfPoppler } from './words.ts';

/** Some 290 PDFs of manuals, reference cards, articles, drawings and examples, in Latin, Greek and Cyrillic letters. */
const PACKAGES = [
  'texlive-latex-base-doc',
  'docbook-xsl-doc-pdf',
  'asymptote-doc',
  'developers-reference',
  'debian-policy',
  'maint-guide',
  'dblatex-doc',
  'gnuplot-doc',
  'gri-pdf-doc',
];

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const MAX_PAGES = 20;
/** The limit of a page. */
const MAX_BYTES = 10 * 1024 * 1024;

const folder = mkdtempSync(join(tmpdir(), 'gleaner-pdf-'));
afterAll(() => rmSync(folder, { recursive: true }));

type NamedScore = Score & { readonly name: string };

/** Returns the share of the words of all files that agree, and writes it with the worst files. */
function report(order: Order, scores: readonly NamedScore[]): number {
  const sum = (key: 'common' | 'words') => scores.reduce((total, score) => total + score[key], 0);
  const share = shareOf({ common: sum('common'), words: sum('words') });
  const worst = scores.toSorted((a, b) => shareOf(a) - shareOf(b)).slice(0, 15);
  const good = scores.filter((score) => shareOf(score) >= 0.95).length;
  const lines = worst.map(
    (score) => `  ${shareOf(score).toFixed(3)} of ${score.words} words: ${score.name}\n`,
  );
  process.stderr.write(
    `Order of the ${order}: ${scores.length} PDFs, ${sum('words')} words, ${(share * 100).toFixed(2)} % agree; ${good} PDFs with 95 % or more.\n${lines.join('')}`,
  );
  return share;
}

async function compareAll(): Promise<void> {
  const scores: Record<Order, NamedScore[]> = { file: [], layout: [] };
  const path = join(folder, 'file.pdf');
  for (const { name, bytes } of readPdfs(ROOT, PACKAGES)) {
    if (bytes.length > MAX_BYTES) continue;
    writeFileSync(path, bytes);
    const ours = await wordsOfGleaner(path, MAX_PAGES);
    for (const order of ['file', 'layout'] as const) {
      const theirs = wordsOfPoppler(path, order, MAX_PAGES);
      if (theirs) scores[order].push({ name, ...compare(ours, theirs) });
    }
  }
  expect(scores.file.length).toBeGreaterThan(0);
  report('layout', scores.layout);
  expect(report('file', scores.file)).toBeGreaterThanOrEqual(0.95);
}

function hasPoppler(): boolean {
  try {
    execFileSync('pdftotext', ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

// The summary names what was not compared; poppler.test.ts compares with what pdftotext read elsewhere.
if (hasPoppler() && existsSync('/usr/bin/apt-get'))
  it('PDFs of Debian have the words that pdftotext reads', compareAll, 1_800_000);
else it.todo('PDFs of Debian have the words that pdftotext reads: install poppler-utils on Debian');
