import type { ExtractedData, ExtractedValue, SelectorMap } from '@gleaner/contracts';
import { extract, parseDocument, planSelectors } from '@gleaner/extraction';
import { type Repair, repair } from '@gleaner/selectors';
import {
  createContent,
  createDesign,
  createRandom,
  editContent,
  type Redesign,
  redesign,
  renderShop,
  type ShopContent,
  type ShopDesign,
  selectorsFor,
  valuesOf,
} from '@gleaner/test-kit';
import { type FieldStates, judgeRun } from '../src/review/judge-run.ts';
import { type Measuring, measurePage } from '../src/review/measure-page.ts';
import { allFields, watchedFieldsOf } from '../src/review/watched-fields.ts';

const BASE_URL = 'https://shop.test/';

/** A proposal for a field that has fallen, beside the truth. */
export interface JudgedRepair {
  readonly path: string;
  readonly repair: Repair;
  /** The value is on the page as it is now. */
  readonly isThere: boolean;
  readonly isRight: boolean;
}

/** A schedule of pages of a shop, without a database: each run is real extraction, and judged as the service does. */
export class WatchedShop {
  readonly #random;
  readonly #kind: Redesign;
  readonly #selectors: SelectorMap;
  #design: ShopDesign;
  #contents: readonly ShopContent[];
  #fields: FieldStates = {};
  #runs = 0;
  #pages: readonly string[] = [];
  /** Pages, words and look of the last run before the redesign. */
  #before: {
    readonly pages: readonly string[];
    readonly contents: readonly ShopContent[];
    readonly design: ShopDesign;
  };

  constructor(seed: number, kind: Redesign) {
    this.#random = createRandom(seed);
    this.#kind = kind;
    this.#design = createDesign(this.#random);
    this.#selectors = selectorsFor(this.#design, kind) as SelectorMap;
    const count = this.#random.between(1, 3);
    this.#contents = Array.from({ length: count }, () => createContent(this.#random));
    this.#before = { pages: [], contents: this.#contents, design: this.#design };
  }

  /** Runs the schedule on the pages as they are; returns the paths of the fields that fall. */
  run(): readonly string[] {
    this.#pages = this.#contents.map((content) => renderShop(content, this.#design));
    const rules = watchedFieldsOf({ selectors: this.#selectors }, undefined);
    const stats: Measuring = new Map();
    for (const page of this.#pages) measurePage(rules.get(undefined) ?? [], this.#extract(page), stats);
    this.#runs += 1;
    const run = { jobId: `job_${this.#runs}`, at: new Date(this.#runs).toISOString(), stats };
    const { fields, fell } = judgeRun(this.#fields, allFields(rules), run);
    this.#fields = fields;
    return fell.map(({ path }) => path);
  }

  /** Changes words of the pages, as a shop does. */
  edit(): void {
    this.#contents = this.#contents.map((content) => editContent(content, this.#random));
  }

  /** Gives the site another look. */
  redesign(): void {
    this.#before = { pages: this.#pages, contents: this.#contents, design: this.#design };
    this.#design = redesign(this.#design, this.#kind, this.#random);
    this.edit();
  }

  /** Returns the fields that return something else than is there, with the pages of the last run. */
  wrongFields(): readonly string[] {
    return Object.keys(this.#selectors).filter((name) =>
      this.#pages.some((page, index) => {
        const truth = this.#truthOf(index)[name];
        return JSON.stringify(this.#extract(page).data[name]) !== JSON.stringify(truth);
      }),
    );
  }

  /** Asks for a selector for each of these fields, and compares what it returns with what is there. */
  repairs(paths: readonly string[]): readonly JudgedRepair[] {
    const pairs = this.#before.pages.map((page, index) => ({
      good: { document: parseDocument(page), baseUrl: BASE_URL },
      bad: { document: parseDocument(this.#pages[index] ?? ''), baseUrl: BASE_URL },
    }));
    return paths.map((path) => {
      const [name = '', inner] = path.split('.');
      const found = repair(pairs, { selectors: this.#selectors, path: path.split('.') });
      const selectors = found.selector ? this.#with(name, inner, found.selector) : undefined;
      const isRight =
        selectors !== undefined &&
        this.#pages.every((page, index) => {
          const { data } = this.#extract(page, { [name]: selectors[name] ?? '' });
          return isSame(data[name], this.#truthOf(index)[name], inner);
        });
      return { path, repair: found, isRight, isThere: this.#isThere(name) };
    });
  }

  #with(name: string, inner: string | undefined, selector: SelectorMap[string]): SelectorMap {
    const own = this.#selectors[name];
    if (inner === undefined || typeof own !== 'object') return { ...this.#selectors, [name]: selector };
    return { ...this.#selectors, [name]: { ...own, fields: { ...own.fields, [inner]: selector } } };
  }

  /** Returns whether a value of before is still on one of the pages. */
  #isThere(name: string): boolean {
    return this.#before.contents.some((content, index) => {
      const [was, is] = [truthOf(content, this.#before.design)[name], this.#truthOf(index)[name]];
      return is !== null && (name === 'products' || JSON.stringify(was) === JSON.stringify(is));
    });
  }

  #truthOf(index: number): Readonly<Record<string, ExtractedValue>> {
    return truthOf(this.#contents[index] as ShopContent, this.#design);
  }

  #extract(html: string, selectors = this.#selectors): { readonly data: ExtractedData } {
    return extract(parseDocument(html), planSelectors(selectors), { baseUrl: BASE_URL });
  }
}

function truthOf(content: ShopContent, design: ShopDesign): Readonly<Record<string, ExtractedValue>> {
  return valuesOf(content, design) as unknown as Readonly<Record<string, ExtractedValue>>;
}

/** Returns whether values are the same; of records, those of one field. */
function isSame(one: ExtractedValue | undefined, other: ExtractedValue | undefined, inner?: string): boolean {
  if (inner === undefined) return JSON.stringify(one) === JSON.stringify(other);
  const values = (value: ExtractedValue | undefined) =>
    Array.isArray(value) ? value.map((record) => (record as ExtractedData)[inner] ?? null) : value;
  return JSON.stringify(values(one)) === JSON.stringify(values(other));
}

/** Runs schedules over a redesign each, and counts what was found. */
export function watchRedesigns(cases: readonly { readonly seed: number; readonly kind: Redesign }[]) {
  const report = {
    late: [] as string[],
    there: 0,
    right: 0,
    verified: 0,
    wrong: [] as string[],
    missed: [] as string[],
  };
  for (const { seed, kind } of cases) {
    const shop = new WatchedShop(seed, kind);
    for (let run = 0; run < 6; run += 1) {
      if (shop.run().length > 0) report.late.push(`${kind} ${seed}: an alarm before the redesign`);
      shop.edit();
    }
    shop.redesign();
    const fell = [...shop.run(), ...shop.run()];
    if (fell.length === 0 && shop.wrongFields().length > 0)
      report.late.push(`${kind} ${seed}: ${shop.wrongFields().join(', ')}`);
    for (const { path, repair: found, isThere, isRight } of shop.repairs(fell)) {
      const about = `${kind} ${seed} ${path}: ${JSON.stringify(found).slice(0, 500)}`;
      if (isThere) report.there += 1;
      if (isThere && isRight) report.right += 1;
      if (isThere && !isRight) report.missed.push(about);
      const isVerified = found.selector !== undefined && found.isVerified;
      if (isVerified) report.verified += 1;
      if (isVerified && !isRight) report.wrong.push(about);
    }
  }
  return report;
}

/** Runs schedules on pages that stay as they are or are edited; returns the alarms. */
export function watchEdits(schedules: number, runs: number): readonly string[] {
  const alarms: string[] = [];
  for (let seed = 0; seed < schedules; seed += 1) {
    const shop = new WatchedShop(5000 + seed, 'renamed');
    for (let run = 0; run < runs; run += 1) {
      alarms.push(...shop.run().map((path) => `${seed} ${run}: ${path}`));
      if (seed % 4 > 0) shop.edit();
    }
  }
  return alarms;
}
