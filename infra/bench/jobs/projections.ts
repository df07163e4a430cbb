import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileSelectors, extract, parseDocument, type SelectorMap } from '@gleaner/extraction';
import { cpuOf } from '../extraction/extraction.ts';
import { FIELD_SETS } from './workload.ts';

/** Each folder in here is a set of pages: copy those of Readability (`test/test-pages/<name>/source.html`) as `readability/<name>.html`. */
const FOLDER = join(import.meta.dirname, '../../../.gleaner/bench-documents');
const MAX_PAGES = 150;
const ROUNDS = 7;

const SETS: Readonly<Record<string, SelectorMap>> = {
  ...FIELD_SETS,
  classes: {
    ...{ title: 'title', heading: 'h1', author: '.author', date: '.date', price: '.price' },
    ...{ lead: 'article p', links: 'a[href]::attr(href)::all' },
  },
};

/** Measures the CPU of parsing and reading a page as a whole and as a projection, in turns, on each set of pages. */
export async function benchProjections(): Promise<void> {
  const folders = globSync('*/', { cwd: FOLDER }).sort();
  if (folders.length === 0) console.log(`projections  no pages in ${FOLDER}`);
  for (const folder of folders) {
    const pages = readPages(join(FOLDER, folder));
    for (const [name, selectors] of Object.entries(SETS)) compare(`${folder} ${name}`, pages, selectors);
  }
}

/** Reads up to `MAX_PAGES` pages, taken evenly from the folder. */
function readPages(folder: string): string[] {
  const paths = globSync('**/*.html', { cwd: folder }).sort();
  const step = Math.max(1, Math.ceil(paths.length / MAX_PAGES));
  const chosen = paths.filter((_, index) => index % step === 0);
  return chosen.map((path) => readFileSync(join(folder, path), 'utf8'));
}

function compare(name: string, pages: readonly string[], selectors: SelectorMap): void {
  const plan = compileSelectors(selectors);
  const read = (html: string, projection: typeof plan.projection) =>
    extract(parseDocument(html, { projection }), plan, { baseUrl: 'https://example.org/' });
  const ways = {
    whole: (html: string) => read(html, null),
    projected: (html: string) => read(html, plan.projection),
  };
  const times = { whole: [] as number[], projected: [] as number[] };
  for (let round = 0; round <= ROUNDS; round++) {
    for (const way of ['whole', 'projected'] as const) {
      const cpuMs = cpuOf(pages, ways[way]) / pages.length;
      if (round > 0) times[way].push(cpuMs);
    }
  }
  const [whole, projected] = [median(times.whole), median(times.projected)];
  console.log(
    `projections ${name.padEnd(24)} ${pages.length} pages: whole ${whole.toFixed(2)} ms, projected ${projected.toFixed(2)} ms of CPU a page`,
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}
