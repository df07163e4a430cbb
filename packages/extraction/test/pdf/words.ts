import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { extractFormats, parseDocument, planFormats, readPdf } from '../../src/index.ts';
import { editsBetween } from './edits-between.ts';

/** Orders of words in the output of poppler: the order of the file, kept by Gleaner, or a guessed layout in columns. */
const ORDERS = { file: ['-raw'], layout: [] } as const;
export type Order = keyof typeof ORDERS;

/** PDFs of TeX, of a browser and of a publisher's program, which an npm package brings. */
const PACKAGED = ['01-valid', '02-valid', '04-valid'];

/** The words of a PDF that poppler read, as digests of the same length, and its version. */
export interface PopplerSheet {
  readonly poppler: string;
  readonly pages: number;
  readonly words: Readonly<Record<string, string>>;
}

/** Reads the PDFs of the npm package. */
export function readPackagedPdfs(): { readonly name: string; readonly path: string }[] {
  const folder = dirname(fileURLToPath(import.meta.resolve('pdf-parse/package.json')));
  return PACKAGED.map((name) => ({ name, path: join(folder, 'test/data', `${name}.pdf`) }));
}

/** Returns the words as poppler reads them; undefined for a file that it refuses. */
export function wordsOfPoppler(path: string, order: Order, pages: number): string[] | undefined {
  const args = [...ORDERS[order], '-enc', 'UTF-8', '-l', `${pages}`, path, '-'];
  try {
    const output = execFileSync('pdftotext', args, {
      maxBuffer: 1024 ** 3,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    // In the order of the file, it leaves words divided.
    return wordsOf(output.toString().replace(/(?<=\p{L})[-\u00ad]\n(?=\p{Ll})/gu, ''));
  } catch {
    return undefined;
  }
}

/** Returns the words as Gleaner reads them. */
export async function wordsOfGleaner(path: string, maxPages: number): Promise<string[]> {
  const { markup } = await readPdf(new Uint8Array(readFileSync(path)), { maxPages });
  const formats = extractFormats(parseDocument(markup), planFormats(['text']), {
    baseUrl: 'https://a.test/',
  });
  return wordsOf(JSON.parse(formats.json).text);
}

/** Ligatures are the letters that they stand for. */
function wordsOf(text: string): string[] {
  return text.normalize('NFKC').split(/\s+/).filter(Boolean);
}

/** Characters of a digest: 18 bits tell the words of a document apart well enough. */
const DIGEST_LENGTH = 3;

/** Returns a digest of a word. */
export function digestOf(word: string): string {
  return hash('sha256', word, 'base64').slice(0, DIGEST_LENGTH);
}

/** Returns the digests that a sheet holds of a document. */
export function digestsIn(words: string): string[] {
  return words.match(new RegExp(`.{${DIGEST_LENGTH}}`, 'g')) ?? [];
}

/** Agreement of two readings of a document. */
export interface Score {
  /** Words in common, in order. */
  readonly common: number;
  readonly words: number;
}

/** Compares two readings. */
export function compare(ours: readonly string[], theirs: readonly string[]): Score {
  const common = (ours.length + theirs.length - editsBetween(ours, theirs)) / 2;
  return { common, words: Math.max(ours.length, theirs.length) };
}

/** Returns the share of the words that agree. */
export function shareOf({ common, words }: Score): number {
  return words === 0 ? 1 : common / words;
}
