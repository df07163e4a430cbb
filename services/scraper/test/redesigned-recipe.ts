import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import type { ExtractedValue, PackedPage, Selector, SelectorMap } from '@gleaner/contracts';
import { Budget, extract, parseDocument, planSelectors } from '@gleaner/extraction';
import {
  createContent,
  createDesign,
  createRandom,
  type Redesign,
  redesign,
  renderShop,
  type ShopContent,
  type ShopDesign,
  selectorsFor,
  valuesOf,
} from '@gleaner/test-kit';
import type { Compared } from '../src/extract/compare-page.ts';
import { workOnSnapshot } from '../src/extract/work-on-snapshot.ts';

const BASE_URL = 'https://shop.test/';

type Values = Readonly<Record<string, ExtractedValue>>;

/** Tests recipes on pages before and after a redesign, and with the selectors that are proposed then. */
export function testRedesigns(cases: readonly { readonly seed: number; readonly kind: Redesign }[]) {
  const report = { red: 0, repaired: 0, wrong: [] as string[] };
  for (const { seed, kind } of cases) {
    const random = createRandom(seed);
    const [design, content] = [createDesign(random), createContent(random)];
    const selectors = selectorsFor(design, kind) as SelectorMap;
    const after = redesign(design, kind, random);
    const [good, bad] = [renderShop(content, design), renderShop(content, after)];
    const [was, is] = [truthOf(content, design), truthOf(content, after)];
    const wrong = (what: string, found: unknown) =>
      report.wrong.push(`${kind} ${seed}: ${what}: ${JSON.stringify(found).slice(0, 300)}`);

    const before = test(good, selectors, was);
    if (!before.passed) wrong('red before the redesign', before);
    const now = test(bad, selectors, was);
    // Without the comparison of the service: the values themselves.
    const differing = Object.keys(selectors).filter(
      (name) => !isSame(valuesOn(bad, selectors)[name], was[name]),
    );
    if (now.passed !== (differing.length === 0)) wrong('not as the values are', now);
    const named = [...new Set(now.differences.map(({ path }) => path))];
    if (!isSame(named.sort(), differing.sort())) wrong('other fields', named);
    if (!now.passed) report.red += 1;

    const accepted = new Map(proposals(good, bad, selectors, differing));
    report.repaired += accepted.size;
    const repaired = { ...selectors, ...Object.fromEntries(accepted) };
    const kept = test(good, repaired, was);
    if (!kept.passed) wrong('red on the page as it was', kept);
    const there = [...accepted.keys()];
    const found = test(bad, repaired, Object.fromEntries(there.map((name) => [name, is[name] ?? null])));
    if (!found.passed) wrong('red on the page as it is', found);
  }
  return report;
}

function truthOf(content: ShopContent, design: ShopDesign): Values {
  return valuesOf(content, design) as unknown as Values;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function valuesOn(html: string, selectors: SelectorMap): Values {
  return extract(parseDocument(html), planSelectors(selectors), { baseUrl: BASE_URL }).data;
}

function pack(html: string): PackedPage {
  return { kind: 'html', baseUrl: BASE_URL, source: brotliCompressSync(html).toString('base64') };
}

function work(html: string, task: Parameters<typeof workOnSnapshot>[0]['task']): string {
  const packed = workOnSnapshot({ accountId: 'acc_1', page: pack(html), task }, new Budget());
  return brotliDecompressSync(Buffer.from(packed, 'base64')).toString();
}

/** Runs the test of a recipe with these selectors, as the service does. */
function test(html: string, selectors: SelectorMap, expect: Values): Compared {
  const expected = { expect, verdict: 'content' as const };
  return JSON.parse(work(html, { type: 'test', engine: 'http', request: { selectors }, expected }));
}

/** Returns the verified selectors that the service proposes for fields. */
function proposals(
  good: string,
  bad: string,
  selectors: SelectorMap,
  names: readonly string[],
): [string, Selector][] {
  const paths = names.map((name) => [name]);
  const answers: { selector?: Selector; isVerified?: boolean }[] = JSON.parse(
    work(good, { type: 'repair', selectors, paths, now: pack(bad), others: [] }),
  );
  return answers.flatMap(({ selector, isVerified }, index): [string, Selector][] =>
    selector !== undefined && isVerified ? [[names[index] ?? '', selector]] : [],
  );
}
