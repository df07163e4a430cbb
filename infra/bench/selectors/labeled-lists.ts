import { Budget, createFinder, type ParsedDocument, parseDocument } from '@gleaner/extraction';
import { suggest } from '@gleaner/selectors';
import { createRandom } from '../../chaos/random.ts';
import type { Rivals } from './rivals.ts';

/** Lists of the pages of a package, as selectors of their items; held out are those of packages that no rule was made for. */
interface Labels {
  readonly labels: readonly string[];
  readonly isHeldOut: boolean;
}

/** Labeled lists by package. */
export const LABELED_LISTS: Readonly<Record<string, Labels>> = {
  'python3.11-doc': {
    labels: [
      'dl.py.function',
      'dl.py.method',
      'dl.py.class',
      'li.toctree-l1',
      'dl.py.data',
      '.highlight-python3',
      'p.rubric',
    ],
    isHeldOut: false,
  },
  'git-doc': { labels: ['dt.hdlist1', '.sect1', '.listingblock', '.sect1 > h2'], isHeldOut: false },
  'nodejs-doc': { labels: ['.changelog', 'h3', 'h4', '.api_stability'], isHeldOut: false },
  'cppreference-doc-en-html': { labels: ['tr.t-dcl', 'tr.t-dsc', '.t-li', '.t-nv-h2'], isHeldOut: false },
  'postgresql-doc-15': {
    labels: ['.toc dt', '.variablelist dt', 'div.sect2', 'li.listitem'],
    isHeldOut: false,
  },
  'apache2-doc': {
    labels: ['.directive-section', '#toc > li', '#topics > li', 'div.section', 'div.example'],
    isHeldOut: true,
  },
  'libgtk-3-doc': {
    labels: ['td.function_name', '.refsect2', 'td.parameter_name', '.refsect1', 'a.shortcut'],
    isHeldOut: true,
  },
  'sqlite3-doc': { labels: ['.fancy-toc1', '.fancy-toc2', '.codeblock'], isHeldOut: true },
};

/** Smallest list that is measured. */
const MIN_ITEMS = 4;

interface Share {
  precision: number;
  recall: number;
}

/** Measures the best selector for two random items of each labeled list against all of its items. */
export async function measureLists(
  { name, labels, isHeldOut }: Labels & { readonly name: string },
  pages: readonly string[],
  rivals: Rivals,
): Promise<void> {
  const ours: Share[] = [];
  const theirs: Share[] = [];
  for (const [seed, html] of pages.entries()) {
    const document = parseDocument(html, { budget: new Budget({ maxSteps: 1e9 }) });
    const find = createFinder(document, new Budget({ maxSteps: 1e9 }));
    await rivals.load(html);
    for (const [at, label] of labels.entries()) {
      const items = find(label)(null);
      if (items.length < MIN_ITEMS) continue;
      const picks = pickTwo(items, 100 * seed + at);
      const [best] = suggest(document, { kind: 'list', picks });
      ours.push(compare(best ? find(best.selector)(null) : [], items, document));
      const selector = await rivals.generate('css-selector-generator', picks);
      theirs.push(compare(selector === null ? [] : find(selector)(null), items, document));
    }
  }
  const kind = isHeldOut ? 'held out' : 'known';
  console.log(
    `selectors lists of ${name} (${kind}): ${ours.length}; ours ${show(ours)}; css-selector-generator ${show(theirs)}`,
  );
}

function pickTwo(items: readonly number[], seed: number): number[] {
  const random = createRandom(seed);
  const first = random.between(0, items.length - 1);
  const second = (first + 1 + random.between(0, items.length - 2)) % items.length;
  return [items[first] as number, items[second] as number];
}

/** A match is right if it is an item, or a record around one only. */
function compare(matches: readonly number[], items: readonly number[], document: ParsedDocument): Share {
  const itemsIn = (match: number): readonly number[] =>
    items.filter((item) => item >= match && item < (document.ends[match] as number));
  const known = new Set(items);
  const right = matches.filter((match) => known.has(match) || itemsIn(match).length === 1);
  const found = new Set(right.flatMap((match) => (known.has(match) ? [match] : itemsIn(match))));
  return { precision: right.length / Math.max(1, matches.length), recall: found.size / items.length };
}

function show(shares: readonly Share[]): string {
  const mean = (key: keyof Share): string =>
    (shares.reduce((sum, share) => sum + share[key], 0) / Math.max(1, shares.length)).toFixed(3);
  return `precision ${mean('precision')} recall ${mean('recall')}`;
}
