import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SCRAPE_OPTION_PROPERTIES } from '@gleaner/contracts';
import { parseSync, Visitor } from 'oxc-parser';

const ROOT = resolve(import.meta.dirname, '../../..');

/** Handwritten sources of the product, without tests, measurements and generated code. */
const SOURCES = ['{packages,services}/*/src/**/*.{ts,tsx}', 'infra/docs/*.ts'];
const EXCLUDED = ['**/*.test.ts', '**/generated/**', 'packages/test-kit/**'];

/** Names of the options of a page. */
const OPTION_NAMES: readonly string[] = Object.keys(SCRAPE_OPTION_PROPERTIES);

/** Types of values that have the options as properties. */
const CARRIERS =
  /\b(?:OptionRow|option\(\{|ScrapeOptions|ScrapeRequest|ScrapeCommand|PageCommand|PageFlags|CreateJobRequest|ScheduleSettings|ReadOptions|SCRAPE_OPTION\w*|BodyOf<'scrape'>|Stage<)/;

/**
 * Returns the files that name each option, as a property or as a text of its own. A name of one word, such as `body`, has other
 * meanings elsewhere: it counts where a file also names a type with the options, or reads it from a request or from options.
 */
export function findMentions(): ReadonlyMap<string, readonly string[]> {
  const mentions = new Map(OPTION_NAMES.map((name) => [name, [] as string[]]));
  for (const file of globSync(SOURCES, { cwd: ROOT, exclude: EXCLUDED }).sort()) {
    const source = readFileSync(resolve(ROOT, file), 'utf8');
    for (const name of optionsIn(file, source)) mentions.get(name)?.push(file);
  }
  return mentions;
}

/** Returns the options that a source names. */
export function optionsIn(file: string, source: string): string[] {
  const { named, read } = propertiesIn(file, source);
  const carries = CARRIERS.test(source);
  return OPTION_NAMES.filter(
    (name) => read.has(name) || (named.has(name) && (carries || /[A-Z]/.test(name))),
  );
}

/** Names of values that have the options as properties. */
const HOLDERS = new Set(['request', 'options', 'flags']);

/** Returns the properties and string literals of a source, and the properties that are read from a holder of options. */
function propertiesIn(file: string, source: string) {
  const named = new Set<string>();
  const read = new Set<string>();
  const addKey = ({ key, computed }: { key: { type: string }; computed: boolean }) => {
    if (!computed) named.add(nameOf(key));
  };
  new Visitor({
    MemberExpression({ object, property }) {
      named.add(nameOf(property));
      if (HOLDERS.has(nameOf(object))) read.add(nameOf(property));
    },
    VariableDeclarator({ id, init }) {
      if (id.type !== 'ObjectPattern' || !init || !HOLDERS.has(nameOf(init))) return;
      for (const each of id.properties) if (each.type === 'Property') read.add(nameOf(each.key));
    },
    Property: addKey,
    TSPropertySignature: addKey,
    Literal({ value }) {
      if (typeof value === 'string') named.add(value);
    },
  }).visit(parseSync(file, source).program);
  return { named, read };
}

/** Returns the name of an identifier or, for `task.request`, of the property that is read; otherwise ''. */
function nameOf(node: { readonly type: string }): string {
  const { name, property } = node as { name?: string; property?: { type: string } };
  return node.type === 'MemberExpression' && property ? nameOf(property) : (name ?? '');
}
