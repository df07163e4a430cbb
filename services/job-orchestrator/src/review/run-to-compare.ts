import {
  type Change,
  type ChangeCounts,
  type PageResult,
  parseInTurns,
  type ScrapeOptions,
  takingTurns,
} from '@gleaner/contracts';
import type { StoredJob, StoredPage, Stores } from '@gleaner/storage';
import { crawlTermsOf } from '../crawl/crawl-terms.ts';
import { hashOf } from './canonical.ts';
import { chooseKey, type Data, diffValue, keyOf, RUN_SAMPLE, shorten } from './diff-value.ts';
import {
  addVersion,
  type Difference,
  differencesIn,
  EMPTY,
  type Entry,
  keysIn,
  kindOf,
  listsIn,
  type Unit,
  unitsOf,
} from './match-records.ts';
import { pairPages, type Side } from './pair-pages.ts';
/** Stores that runs are read from. */
export interface RunReader {
  readonly jobs: Pick<Stores['jobs'], 'findRunBefore'>;
  readonly pages: Pick<Stores['pages'], 'findInOrder'>;
  readonly results: Pick<Stores['results'], 'findResults' | 'streamResults'>;
}

/** The differences between a run and the runs before it. */
export interface RunDifferences {
  readonly since: string;
  readonly counts: ChangeCounts;
  /** Each as JSON. */
  readonly changes: readonly string[];
  readonly omitted: number;
  /** Number of pages that are of another kind than before. */
  readonly notCompared: number;
  /** Field by which the records of each list were matched. */
  readonly keys: Readonly<Record<string, string>>;
}

/** Differences of some fields, with the identities of the records that changed. */
export interface FoundDifferences extends Omit<RunDifferences, 'since'> {
  readonly changed: ReadonlySet<number>;
}

/** Bounds of one comparison. */
export interface CompareLimits {
  /** Most pages of the run, and of those before it together; a larger run is not compared. */
  readonly maxPages: number;
  /** Most records in memory; the records of a larger run are compared in parts. */
  readonly maxRecords: number;
  readonly maxParts: number;
  readonly maxChanges: number;
  readonly maxBytes: number;
}

const PAGES_AT_ONCE = 500;
const RESULTS_AT_ONCE = 50;
/** Differences whose values are read at once: each may have two results of megabytes. */
const DIFFERENCES_AT_ONCE = 5;

/** Comparison of some fields of a run with the runs before it. */
export class RunToCompare {
  readonly #job: StoredJob;
  readonly #reader: RunReader;
  readonly #signal: AbortSignal;
  readonly #limits: CompareLimits;
  /** Returns the fields that are compared. */
  readonly #choose: (data: Data) => Data;
  /** True of a crawl without selectors: it is compared by its texts, and not by the links of its pages. */
  readonly #leavesLinks: boolean;
  readonly #keys: Map<string, string>;
  #before: readonly Side[] = [];
  #after: readonly Side[] = [];
  #notCompared = 0;
  readonly #othersFirst = takingTurns();
  /** Units of the pages that were located last, by side and id: many differences in a row are of the same pages. */
  readonly #located = {
    before: new Map<string, readonly Unit[]>(),
    after: new Map<string, readonly Unit[]>(),
  };

  constructor(
    job: StoredJob,
    {
      reader,
      signal,
      limits,
      choose,
      keys = new Map(),
    }: {
      readonly reader: RunReader;
      readonly signal: AbortSignal;
      readonly limits: CompareLimits;
      readonly choose: (data: Data) => Data;
      readonly keys?: ReadonlyMap<string, string>;
    },
  ) {
    this.#job = job;
    this.#choose = choose;
    this.#reader = reader;
    this.#signal = signal;
    this.#limits = limits;
    const options: ScrapeOptions = JSON.parse(job.optionsJson);
    const crawl = crawlTermsOf(job);
    const maps = [options.selectors, ...(crawl?.rules ?? []).map(({ selectors }) => selectors)];
    this.#keys = new Map([...maps.flatMap((selectors) => [...keysIn(selectors ?? {})]), ...keys]);
    this.#leavesLinks = crawl !== undefined && maps.every((selectors) => !selectors);
  }

  /** Reads which pages there are; returns false if there are too many. */
  async readPages(earlier: readonly string[]): Promise<boolean> {
    const pagesOf = (jobId: string) => this.#pagesOf(jobId);
    const found = await pairPages(this.#job, earlier, pagesOf, this.#limits.maxPages);
    if (!found) return false;
    this.#before = found.before;
    this.#after = found.after;
    this.#notCompared = found.notCompared;
    return true;
  }

  /** Compares everything, or what is new to `known` about some fields. */
  async compare({
    only,
    known = new Set(),
  }: {
    readonly only?: ReadonlySet<string>;
    readonly known?: ReadonlySet<number>;
  } = {}): Promise<FoundDifferences> {
    await this.#findKeys();
    const { maxChanges } = this.#limits;
    const counts = { added: 0, removed: 0, changed: 0 };
    const found: Difference[] = [];
    const changed = new Set<number>();
    let total = 0;
    for await (const difference of this.#differences()) {
      const kind = kindOf(difference);
      // Of a record of which only some fields are compared, it is known whether it is new.
      if (only && kind !== 'changed' && !only.has(difference.list)) continue;
      if (kind === 'changed') changed.add(difference.identity);
      if (kind !== 'changed' || !known.has(difference.identity)) counts[kind] += 1;
      total += 1;
      if (found.length < maxChanges) found.push(difference);
      await this.#takeTurns();
    }
    const { changes, omitted } = await this.#describe(found);
    return {
      counts,
      changes,
      omitted: omitted + total - found.length,
      notCompared: this.#notCompared,
      keys: Object.fromEntries(this.#keys),
      changed,
    };
  }

  /** Finds the keys of lists whose selectors do not name one, from the same pages of both sides. */
  async #findKeys(): Promise<void> {
    const stride = Math.ceil(Math.max(this.#before.length, this.#after.length) / SAMPLED_PAGES);
    const isSampled = ({ key }: Side, index: number) => index < FIRST_PAGES || hashOf(key) % stride === 0;
    const recordsOf = async (sides: readonly Side[]) => {
      const byList = new Map<string, Data[]>();
      for await (const { data } of this.#read(sides.filter(isSampled))) {
        for (const [list, records] of listsIn(data)) {
          const all = byList.get(list) ?? [];
          byList.set(list, all);
          for (const record of records) {
            if (all.length >= RUN_SAMPLE.maxRecords) break;
            all.push(record);
          }
        }
      }
      return byList;
    };
    const [before, after] = [await recordsOf(this.#before), await recordsOf(this.#after)];
    for (const list of new Set([...before.keys(), ...after.keys()])) {
      if (this.#keys.has(list)) continue;
      const key = await this.#inTurns(chooseKey(before.get(list) ?? [], after.get(list) ?? [], RUN_SAMPLE));
      if (key !== undefined) this.#keys.set(list, key);
    }
  }

  /** Yields the differences; with many records, those of one part of all identities after the other. */
  async *#differences(): AsyncGenerator<Difference> {
    let parts = 1;
    for (let part = 0; part < parts; part += 1) {
      const entries = new Map<number, Entry>();
      for (const name of ['before', 'after'] as const) {
        const sides = name === 'before' ? this.#before : this.#after;
        for await (const { data, at } of this.#read(sides)) {
          const side = sides[at];
          if (!side) continue;
          for (const unit of unitsOf(data, side.key, this.#keys)) {
            await this.#takeTurns();
            if (!unit || unit.identity % parts !== part) continue;
            addVersion(entries, unit, name, { content: unit.content, at, isProof: isProof(side, unit) });
          }
          // Only in the first part: the later ones have no more records than it kept.
          while (entries.size > this.#limits.maxRecords && part === 0) {
            parts *= 2;
            if (parts > this.#limits.maxParts) throw new Error('The runs have too many records to compare.');
            for (const identity of entries.keys()) if (identity % parts !== 0) entries.delete(identity);
          }
        }
      }
      yield* differencesIn(entries.values());
    }
  }

  /** Reads the values of differences and renders the changes as JSON, as many as are stored. */
  async #describe(differences: readonly Difference[]): Promise<{ changes: string[]; omitted: number }> {
    const { maxChanges, maxBytes } = this.#limits;
    const changes: string[] = [];
    let bytes = 0;
    let omitted = 0;
    for (let first = 0; first < differences.length; first += DIFFERENCES_AT_ONCE) {
      const some = differences.slice(first, first + DIFFERENCES_AT_ONCE);
      const before = await this.#locate(this.#before, some, 'before');
      const after = await this.#locate(this.#after, some, 'after');
      for (const difference of some) {
        for await (const change of this.#changesOf(
          difference,
          before.get(difference),
          after.get(difference),
        )) {
          const text = JSON.stringify(change);
          const fits = changes.length < maxChanges && bytes + text.length <= maxBytes;
          if (fits) changes.push(text);
          else omitted += 1;
          bytes += fits ? text.length : 0;
        }
        await this.#takeTurns();
      }
    }
    return { changes, omitted };
  }

  async *#changesOf(
    { list, before: old, after: fresh }: Difference,
    before: Unit | undefined,
    after: Unit | undefined,
  ): AsyncGenerator<Change> {
    const { url = '' } = (fresh ? this.#after[fresh.at] : this.#before[old?.at ?? -1]) ?? {};
    const named = before ?? after;
    const key = keyOf(named?.value, this.#keys.get(list)) ?? String(named?.place ?? 0);
    const path = list === '' ? '' : `${list}[${key.slice(0, MAX_KEY_CHARACTERS)}]`;
    for (const change of diffValue(path, before?.value, after?.value, this.#keys)) {
      await this.#takeTurns();
      if (change) yield { url, ...shorten(change) };
    }
  }

  /** Returns the units of differences on one side. A result that was deleted has none. */
  async #locate(
    sides: readonly Side[],
    differences: readonly Difference[],
    name: 'before' | 'after',
  ): Promise<ReadonlyMap<Difference, Unit>> {
    const wanted = new Map<string, Side>();
    for (const difference of differences) {
      const side = sides[difference[name]?.at ?? -1];
      if (side) wanted.set(side.id, side);
    }
    const known = this.#located[name];
    for (const id of known.keys()) if (!wanted.has(id)) known.delete(id);
    const unknown = [...wanted.values()].filter(({ id }) => !known.has(id));
    for (const [id, text] of await this.#reader.results.findResults(unknown)) {
      const units: Unit[] = [];
      for (const unit of unitsOf(await this.#dataOf(text), wanted.get(id)?.key ?? '', this.#keys)) {
        if (unit) units.push(unit);
        await this.#takeTurns();
      }
      known.set(id, units);
    }
    return new Map(
      differences.flatMap((difference) => {
        const { at = -1, content } = difference[name] ?? {};
        const unit = known
          .get(sides[at]?.id ?? '')
          ?.find((each) => each.list === difference.list && each.content === content);
        return unit ? [[difference, unit] as const] : [];
      }),
    );
  }

  /** Reads the data of pages, in order. */
  async *#read(sides: readonly Side[]): AsyncGenerator<{ readonly data: Data; readonly at: number }> {
    for (let first = 0; first < sides.length; first += RESULTS_AT_ONCE) {
      const some = sides.slice(first, first + RESULTS_AT_ONCE);
      const places = new Map(some.map(({ id }, index) => [id, first + index]));
      for await (const { id, json } of this.#reader.results.streamResults(some)) {
        yield { data: await this.#dataOf(json), at: places.get(id) ?? 0 };
        await this.#takeTurns();
      }
    }
  }

  async *#pagesOf(jobId: string): AsyncGenerator<StoredPage> {
    let afterId = '';
    for (;;) {
      const chunk = await this.#reader.pages.findInOrder(jobId, {
        states: STATES,
        afterId,
        limit: PAGES_AT_ONCE,
      });
      yield* chunk;
      await this.#takeTurns();
      if (chunk.length < PAGES_AT_ONCE) return;
      afterId = chunk.at(-1)?.id ?? '';
    }
  }

  /** Returns the result of steps, between which other work gets its turns. */
  async #inTurns<Result>(steps: Generator<undefined, Result>): Promise<Result> {
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      await this.#takeTurns();
    }
  }

  async #takeTurns(): Promise<void> {
    await this.#othersFirst();
    this.#signal.throwIfAborted();
  }

  /** Returns the data of a result, or its formats by their names if it has no data. */
  async #dataOf(text: string): Promise<Data> {
    const result = (await parseInTurns(text, () => this.#takeTurns())) as PageResult;
    if (result.data) {
      if (!this.#leavesLinks) return this.#choose(result.data);
      const { links: _links, ...rest } = result.data;
      return rest;
    }
    const formats = ('formats' in result && result.formats) || {};
    return Object.fromEntries(Object.entries(formats).map(([name, value]) => [`formats.${name}`, value]));
  }
}

/** Pages from which keys are found. */
const SAMPLED_PAGES = 200;
const FIRST_PAGES = 20;
const MAX_KEY_CHARACTERS = 300;
const STATES = ['succeeded', 'visited', 'failed', 'missing', 'skipped', 'cancelled'] as const;

function isProof({ provesRecords, provesPage }: Side, { list, content }: Unit): boolean {
  return list === '' ? provesPage && content !== EMPTY : provesRecords;
}
