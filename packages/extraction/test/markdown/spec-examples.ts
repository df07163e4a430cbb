import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** An example of the CommonMark specification. */
export interface SpecExample {
  readonly number: number;
  readonly section: string;
  readonly html: string;
}

const require = createRequire(import.meta.url);

/** Sections whose HTML is any HTML, and not the HTML of markdown. */
const RAW_SECTIONS = new Set(['HTML blocks', 'Raw HTML']);

/** Returns the examples of CommonMark, except those of raw HTML. */
export function readSpecExamples(): SpecExample[] {
  const source = readFileSync(require.resolve('commonmark-spec/spec.txt'), 'utf8');
  const examples: SpecExample[] = [];
  let section = '';
  let number = 0;
  for (const [, heading, , html] of source.matchAll(PARTS)) {
    if (heading !== undefined) section = heading;
    else if (html !== undefined)
      examples.push({ number: ++number, section, html: html.replaceAll('→', '\t') });
  }
  return examples.filter((example) => !RAW_SECTIONS.has(example.section));
}

/** A heading, or an example with its markdown and its HTML. */
const PARTS = /^#+ (.*)$|^`{32} example\n([\s\S]*?)^\.\n([\s\S]*?)^`{32}$/gm;
