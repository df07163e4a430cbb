import {
  type Change,
  type ChangeCounts,
  type PageResult,
  type ScrapeOptions,
  takingTurns,
} from '@gleaner/contracts';
import type { StoredJob, StoredPage, Stores } from '@gleaner/storage';
import { crawlTermsOf } from '../crawl/crawl-terms.ts';
import { chooseKey, type Data, diffValue, isRecord, keyOf, shorten } from './diff-value.ts';
import {
  addVersion,
  type Difference,
  differencesIn,
  EMPTY,
  type Entry,
  hashOf,
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

/** Options of one comparison. */
export interface CompareOptions {
  readonly limits?: CompareLimits;
  /** Paths of fields whose selectors have lost the values of the pages: they are left out. */
  readonly lost?: ReadonlySet<string>;
}

const NOTHING: ReadonlySet<string> = new Set();

export const COMPARE_LIMITS: CompareLimits = {
  maxPages: 250_000,
  maxRecords: 200_000,
  maxParts: 64,
  maxChanges: 10_000,
  maxBytes: 16 * 1024 * 1024,
};

/** Number of earlier runs in which the last content of a page is looked for. */
const MAX_RUNS = 10;
const PAGES_AT_ONCE = 500;
const RESULTS_AT_ONCE = 50;
/** Differences whose values are read at once: each may have two results of megabytes. */
const DIFFERENCES_AT_ONCE = 5;

/**
 * Compares the data of a run with the data that its pages had last, in up to ten runs before. Records of lists are matched by
 * a key over all pages, so that a record that moves to another page has not changed; what a page has beside its lists is
 * matched by the page. A page that failed, that one of the runs did not come to, or that is of another kind than before says
 * nothing. Results are read a few at a time; only hashes are in memory, and the process stays free for other work. Returns null if there is nothing to compare.
 */
export async function compareRun(
  job: StoredJob,
  reader: RunReader,
  signal: AbortSignal,
  { limits = COMPARE_LIMITS, lost = NOTHING }: CompareOptions = {},
): Promise<RunDifferences | null> {
  const earlier = await findEarlier(job, reader);
  const [since] = earlier;
  if (since === undefined) return null;
  const run = new RunToCompare(job, { reader, signal, limits, lost });
  if (!(await run.readPages(earlier))) return null;
  return { since, ...(await run.compare()) };
}

/** Returns the runs that a job is compared with, latest first; none of jobs that are not compared. */
async function findEarlier(job: StoredJob, { jobs }: RunReader): Promise<readonly string[]> {
  const { accountId, scheduleId, crawl } = job;
  if (crawl) return crawl.since ?? [];
  if (scheduleId === undefined) return [];
  const found: string[] = [];
  let last = job.id;
  while (found.length < MAX_RUNS) {
    const before = await jobs.findRunBefore({ accountId, scheduleId, jobId: last });
    if (!before) break;
    found.push(before.id);
    last = before.id;
  }
  return found;
}

class RunToCompare {
  readonly #job: StoredJob;
  readonly #reader: RunReader;
  readonly #signal: AbortSignal;
  readonly #limits: CompareLimits;
  readonly #lost: ReadonlySet<string>;
  /** True of a crawl without selectors: it is compared by its texts, and not by the links of its pages. */
  readonly #leavesLinks: boolean;
  readonly #keys: Map<string, string>;
  #before: readonly Side[] = [];
  #after: readonly Side[] = [];
  #notCompared = 0;
  readonly #othersFirst = takingTurns();
  /** Those of the pages that were located last, by side and id: many differences in a row are of the same pages. */
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
      lost,
    }: Required<CompareOptions> & {
      readonly reader: RunReader;
      readonly signal: AbortSignal;
    },
  ) {
    this.#job = job;
    this.#lost = lost;
    this.#reader = reader;
    this.#signal = signal;
    this.#limits = limits;
    const options: ScrapeOptions = JSON.parse(job.optionsJson);
    const crawl = crawlTermsOf(job);
    const maps = [options.selectors, ...(crawl?.rules ?? []).map(({ selectors }) => selectors)];
    this.#keys = new Map(maps.flatMap((selectors) => [...keysIn(selectors ?? {})]));
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

  async compare(): Promise<Omit<RunDifferences, 'since'>> {
    await this.#findKeys();
    const { maxChanges } = this.#limits;
    const counts = { added: 0, removed: 0, changed: 0 };
    const found: Difference[] = [];
    let total = 0;
    for await (const difference of this.#differences()) {
      counts[kindOf(difference)] += 1;
      total += 1;
      if (found.length < maxChanges) found.push(difference);
      await this.#takeTurns();
    }
    const { changes, omitted } = await this.#describe(found);
    return {
      ...{ counts, changes, omitted: omitted + total - found.length, notCompared: this.#notCompared },
      keys: Object.fromEntries(this.#keys),
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
          if (all.length < SAMPLED_RECORDS) all.push(...records);
        }
      }
      return byList;
    };
    const [before, after] = [await recordsOf(this.#before), await recordsOf(this.#after)];
    for (const list of new Set([...before.keys(), ...after.keys()])) {
      if (this.#keys.has(list)) continue;
      const key = chooseKey(before.get(list) ?? [], after.get(list) ?? []);
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
            if (unit.identity % parts !== part) continue;
            addVersion(entries, unit, name, { content: unit.content, at, isProof: isProof(side, unit) });
            await this.#takeTurns();
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
        for (const change of this.#changesOf(difference, before.get(difference), after.get(difference))) {
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

  #changesOf(
    { list, before: old, after: fresh }: Difference,
    before: Unit | undefined,
    after: Unit | undefined,
  ): Change[] {
    const { url = '' } = (fresh ? this.#after[fresh.at] : this.#before[old?.at ?? -1]) ?? {};
    const named = before ?? after;
    const key = keyOf(named?.value, this.#keys.get(list)) ?? String(named?.place ?? 0);
    const path = list === '' ? '' : `${list}[${key.slice(0, MAX_KEY_CHARACTERS)}]`;
    return diffValue(path, before?.value, after?.value, this.#keys).map((change) => ({
      ...{ url, ...shorten(change) },
    }));
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
      for (const unit of unitsOf(this.#dataOf(text), wanted.get(id)?.key ?? '', this.#keys)) {
        units.push(unit);
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
        yield { data: this.#dataOf(json), at: places.get(id) ?? 0 };
        await this.#takeTurns();
      }
    }
  }

  async *#pagesOf(jobId: string): AsyncGenerator<StoredPage> {
    let afterId = '';
    for (;;) {
      const chunk = await this.#reader.pages.findInOrder(jobId, {
        ...{ states: STATES, afterId, limit: PAGES_AT_ONCE },
      });
      yield* chunk;
      await this.#takeTurns();
      if (chunk.length < PAGES_AT_ONCE) return;
      afterId = chunk.at(-1)?.id ?? '';
    }
  }

  async #takeTurns(): Promise<void> {
    await this.#othersFirst();
    this.#signal.throwIfAborted();
  }

  /** Returns the data of a result, or its formats by their names if it has no data. */
  #dataOf(text: string): Data {
    const result = JSON.parse(text) as PageResult;
    if (result.data) {
      if (this.#lost.size > 0) return withoutFields(result.data, this.#lost);
      if (!this.#leavesLinks) return result.data;
      const { links: _links, ...rest } = result.data;
      return rest;
    }
    const formats = ('formats' in result && result.formats) || {};
    return Object.fromEntries(Object.entries(formats).map(([name, value]) => [`formats.${name}`, value]));
  }
}

/** Pages and records from which keys are found. */
const SAMPLED_PAGES = 200;
const FIRST_PAGES = 20;
const SAMPLED_RECORDS = 2000;
const MAX_KEY_CHARACTERS = 300;
const STATES = ['succeeded', 'visited', 'failed', 'missing', 'skipped', 'cancelled'] as const;

function isProof({ provesRecords, provesPage }: Side, { list, content }: Unit): boolean {
  return list === '' ? provesPage && content !== EMPTY : provesRecords;
}

/** Returns data without some fields, which are named by their paths; those of rules of a crawl by theirs. */
function withoutFields(data: Data, lost: ReadonlySet<string>, outer = ''): Data {
  const isLost = (path: string) => [...lost].some((each) => each.replace(/^rules\.\d+\./, '') === path);
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]) => {
      const path = outer + name;
      if (isLost(path)) return [];
      if (Array.isArray(value)) {
        const inner = value.map((each) => (isRecord(each) ? withoutFields(each, lost, `${path}.`) : each));
        return [[name, inner]];
      }
      return [[name, isRecord(value) ? withoutFields(value, lost, `${path}.`) : value]];
    }),
  );
}
