import {
  attributeOf,
  Budget,
  createFinder,
  NodeKind,
  type ParsedDocument,
  parseDocument,
} from '@gleaner/extraction';
import { suggest } from '@gleaner/selectors';
import { createRandom } from '../../chaos/random.ts';
import { dressPage, MARK, MUTATIONS, type Mutation, mutatePage } from './mutate-page.ts';
import type { Rivals } from './rivals.ts';

const PICKS_OF_PAGE = 5;

/** A page after mutations, and its elements by their marks. */
interface Mutant {
  readonly name: string;
  readonly document: ParsedDocument;
  readonly orders: ReadonlyMap<string, readonly number[]>;
}

/** Counts of one generator. */
interface Score {
  unique: number;
  readonly right: Map<string, number>;
}

/** Measures the selectors of random elements of pages: unique there, and alone right on the page after each kind of change. */
export async function measureElements(name: string, pages: readonly string[], rivals: Rivals): Promise<void> {
  const scores = new Map<string, Score>(
    ['ours', ...rivals.names].map((generator) => [generator, { unique: 0, right: new Map() }]),
  );
  let picked = 0;
  let proposed = 0;
  let differing = 0;
  for (const [seed, source] of pages.entries()) {
    const html = dressPage(source);
    const document = parse(html);
    const mutants = mutantsOf(html, seed);
    await rivals.load(html);
    for (const order of pickElements(document, seed)) {
      if (mutants.some(({ orders }) => orders.get(`${order}`)?.length !== 1)) continue;
      picked++;
      const own = suggest(document, { kind: 'one', picks: [order] }).filter(({ kind }) => kind === 'one');
      proposed += own.length;
      const inBrowser = await rivals.query(own.map(({ selector }) => selector));
      differing += inBrowser.filter((found) => found.length !== 1 || found[0] !== order).length;
      judge(scores.get('ours'), own[0]?.selector ?? null, { order, document, mutants });
      for (const rival of rivals.names) {
        judge(scores.get(rival), await rivals.generate(rival, [order]), { order, document, mutants });
      }
    }
  }
  console.log(
    `selectors ${name}: ${picked} elements of ${pages.length} pages; ${proposed} proposals, ${differing} match otherwise in Chromium`,
  );
  for (const [generator, { unique, right }] of scores) {
    const shares = [...right].map(([mutation, count]) => `${mutation} ${percent(count, picked)}`);
    console.log(
      `selectors ${name} ${generator}: unique ${percent(unique, picked)}; right after ${shares.join(', ')}`,
    );
  }
}

function mutantsOf(html: string, seed: number): Mutant[] {
  const all = Object.keys(MUTATIONS) as Mutation[];
  const sets = [
    ...all.map((one) => ({ name: one as string, mutations: [one] })),
    { name: 'all of them', mutations: all },
  ];
  return sets.map(({ name, mutations }, index) => {
    const document = parse(mutatePage(html, mutations, 1000 * seed + index));
    const orders = new Map<string, number[]>();
    for (const element of document.elements) {
      const mark = attributeOf(element, MARK);
      if (mark !== undefined) orders.set(mark, [...(orders.get(mark) ?? []), element.order]);
    }
    return { name, document, orders };
  });
}

function judge(
  score: Score | undefined,
  selector: string | null,
  { order, document, mutants }: { order: number; document: ParsedDocument; mutants: readonly Mutant[] },
): void {
  if (score === undefined) return;
  if (isOnlyMatch(document, selector, order)) score.unique++;
  for (const { name, document: changed, orders } of mutants) {
    const isRight = isOnlyMatch(changed, selector, orders.get(`${order}`)?.[0]);
    score.right.set(name, (score.right.get(name) ?? 0) + Number(isRight));
  }
}

function isOnlyMatch(document: ParsedDocument, selector: string | null, order: number | undefined): boolean {
  if (selector === null) return false;
  const found = createFinder(document, new Budget({ maxSteps: 1e9 }))(selector)(null);
  return found.length === 1 && found[0] === order;
}

/** Picks elements that hold a value: an image, or a text that is not part of a running text. */
function pickElements(document: ParsedDocument, seed: number): number[] {
  const random = createRandom(seed + 1);
  const values = document.elements.filter(
    (element) =>
      isShown(element) && (element.name === 'img' || (hasText(element) && !hasText(element.parent))),
  );
  const picks = Array.from(
    { length: Math.min(PICKS_OF_PAGE, values.length) },
    () => values[random.between(0, values.length - 1)],
  );
  return picks.flatMap((element) => (element ? [element.order] : []));
}

type Element = ParsedDocument['elements'][number];

const HIDDEN = new Set(['head', 'script', 'style', 'noscript', 'svg']);

function isShown(element: Element): boolean {
  for (let node: Element | null = element; node !== null; node = node.parent)
    if (HIDDEN.has(node.name)) return false;
  return true;
}

function hasText(element: Element | null): boolean {
  for (let child = element?.first ?? null; child !== null; child = child.next) {
    if (child.kind === NodeKind.text && /\S/.test(child.value)) return true;
  }
  return false;
}

function parse(html: string): ParsedDocument {
  return parseDocument(html, { budget: new Budget({ maxSteps: 1e9 }) });
}

function percent(count: number, total: number): string {
  return `${((100 * count) / Math.max(1, total)).toFixed(1)} %`;
}
