import { type ExecFileSyncOptions, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readPdfs } from '@gleaner/test-kit';
import { afterAll, describe, expect, it } from '@jest/globals';
import { extractFormats, parseDocument, planFormats, readPdf } from '../../src/index.ts';
import { editsBetween } from './edits-between.ts';

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

const hasPoppler = runs('pdftotext', ['-v']);

function runs(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    process.stderr.write(`${program} is missing: install poppler-utils to compare PDFs with it.\n`);
    return false;
  }
}

/** Orders in which poppler writes the words: that of the file, which Gleaner keeps, or a layout in columns that it guesses. */
const ORDERS = { file: ['-raw'], layout: [] } as const;
type Order = keyof typeof ORDERS;

/** Returns the words as poppler reads them; undefined for a file that it refuses. */
function wordsOfPoppler(path: string, order: Order): string[] | undefined {
  const args = [...ORDERS[order], '-enc', 'UTF-8', '-l', String(MAX_PAGES), path, '-'];
  try {
    const options: ExecFileSyncOptions = { maxBuffer: 1024 ** 3, stdio: ['ignore', 'pipe', 'ignore'] };
    // In the order of the file, it leaves words divided.
    return wordsOf(
      execFileSync('pdftotext', args, options)
        .toString()
        .replace(/(?<=\p{L})[-\u00ad]\n(?=\p{Ll})/gu, ''),
    );
  } catch {
    return undefined;
  }
}

async function wordsOfGleaner(bytes: Uint8Array): Promise<string[]> {
  const { markup } = await readPdf(new Uint8Array(bytes), { maxPages: MAX_PAGES });
  const formats = extractFormats(parseDocument(markup), planFormats(['text']), {
    baseUrl: 'https://a.test/',
  });
  return wordsOf(JSON.parse(formats.json).text);
}

/** Ligatures are the letters that they stand for. */
function wordsOf(text: string): string[] {
  return text.normalize('NFKC').split(/\s+/).filter(Boolean);
}

interface Score {
  readonly name: string;
  /** Words in common, in order. */
  readonly common: number;
  readonly words: number;
}

function compare(name: string, ours: readonly string[], theirs: readonly string[]): Score {
  const common = (ours.length + theirs.length - editsBetween(ours, theirs)) / 2;
  return { name, common, words: Math.max(ours.length, theirs.length) };
}

function shareOf({ common, words }: Omit<Score, 'name'>): number {
  return words === 0 ? 1 : common / words;
}

/** Returns the share of the words of all files that agree, and writes it with the worst files. */
function report(order: Order, scores: readonly Score[]): number {
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

const describeWithPoppler = hasPoppler ? describe : describe.skip;

describeWithPoppler('the text of real PDFs', () => {
  it('has the words that pdftotext reads, in the order of the file', async () => {
    const scores: Record<Order, Score[]> = { file: [], layout: [] };
    const path = join(folder, 'file.pdf');
    for (const { name, bytes } of readPdfs(ROOT, PACKAGES)) {
      if (bytes.length > MAX_BYTES) continue;
      writeFileSync(path, bytes);
      const ours = await wordsOfGleaner(bytes);
      for (const order of ['file', 'layout'] as const) {
        const theirs = wordsOfPoppler(path, order);
        if (theirs) scores[order].push(compare(name, ours, theirs));
      }
    }
    if (scores.file.length === 0) return;
    report('layout', scores.layout);
    expect(report('file', scores.file)).toBeGreaterThanOrEqual(0.95);
  }, 1_800_000);
});
