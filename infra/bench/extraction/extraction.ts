import { join } from 'node:path';
import { compileSelectors, extract, parseDocument } from '@gleaner/extraction';
import { load } from 'cheerio';
import { readBenchDocuments } from './bench-documents.ts';

/** Six fields of a typical scrape of documentation. */
const FIELDS = {
  title: { css: 'title', all: false },
  heading: { css: 'h1', all: false },
  sections: { css: 'h2, h3', all: true },
  paragraphs: { css: 'div.body p', all: true },
  links: { css: 'a', all: true, attribute: 'href' },
  code: { css: 'pre, code', all: true },
} as const satisfies Record<string, { css: string; all: boolean; attribute?: string }>;

const ROUNDS = 3;
const DOCUMENTS = 500;

/** Compares the CPU per page with cheerio's on real documents: parsing and six fields with lists. Prints the ratio. */
export async function benchExtraction(): Promise<void> {
  const documents = readBenchDocuments(join(import.meta.dirname, '../../..'), DOCUMENTS);
  const kilobytes = documents.reduce((sum, { length }) => sum + length, 0) / 1024 / documents.length;
  console.log(`extraction ${documents.length} real documents of ${kilobytes.toFixed(0)} KB on average`);
  const plan = compileSelectors(
    Object.fromEntries(Object.entries(FIELDS).map(([name, field]) => [name, toSelector(field)])),
  );
  const ours = (html: string): object =>
    extract(parseDocument(html), plan, { baseUrl: 'https://example.org/' }).data;
  checkSameValues(documents, ours, withCheerio);

  const cpuMs = { ours: 0, cheerio: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    cpuMs.cheerio += cpuOf(documents, withCheerio);
    cpuMs.ours += cpuOf(documents, ours);
  }
  const pages = ROUNDS * documents.length;
  console.log(`extraction cheerio ${(cpuMs.cheerio / pages).toFixed(2)} ms a page`);
  console.log(
    `extraction ours    ${(cpuMs.ours / pages).toFixed(2)} ms a page, ${(cpuMs.ours / cpuMs.cheerio).toFixed(2)} of cheerio's`,
  );
}

function toSelector(field: { css: string; all: boolean; attribute?: string }): string {
  const value = field.attribute ? `::attr(${field.attribute})` : '::text';
  return `${field.css}${value}${field.all ? '::all' : ''}`;
}

function withCheerio(html: string): object {
  const $ = load(html, { scriptingEnabled: false });
  const read = (element: Parameters<typeof $>[0], attribute: string | undefined): string | undefined =>
    attribute ? $(element).attr(attribute) : $(element).text().replace(/\s+/g, ' ').trim();
  const entries = Object.entries(FIELDS).map(([name, field]) => {
    const attribute = 'attribute' in field ? field.attribute : undefined;
    if (!field.all) return [name, $(field.css).length > 0 ? read($(field.css).first(), attribute) : null];
    const values = $(field.css)
      .toArray()
      .map((element) => read(element, attribute));
    return [name, values.filter((value) => value !== undefined)];
  });
  return Object.fromEntries(entries);
}

/** Checks that both extract the same data, and warms both up. */
function checkSameValues(
  documents: readonly string[],
  ours: (html: string) => object,
  theirs: (html: string) => object,
): void {
  const differing = documents.filter((html) => JSON.stringify(ours(html)) !== JSON.stringify(theirs(html)));
  console.log(
    `extraction values are the same on ${documents.length - differing.length} of ${documents.length}`,
  );
}

/** Returns the CPU of working on every document, in milliseconds. */
export function cpuOf(documents: readonly string[], work: (html: string) => object): number {
  const before = process.cpuUsage();
  for (const html of documents) work(html);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
