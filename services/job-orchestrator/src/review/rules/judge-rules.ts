import { LIMITS } from '@gleaner/contracts';
import { judgeRecord, type RuleMemory, type SeenRecord, type Values } from './judge-record.ts';
import type { RunRule } from './rules-of-run.ts';
import {
  MAX_CHARACTERS,
  MAX_PAGES,
  MAX_RECORDS,
  type RecordMemory,
  type RulesState,
  type ToldRecord,
} from './rules-state.ts';

/** A record as a page of the run has it. */
export interface FoundRecord {
  readonly list: string;
  /** Hash of its key. */
  readonly id: string;
  readonly key: string;
  readonly url: string;
  /** Its values of the fields that rules read, without fallen fields. */
  readonly values: Values;
}

/** Records that a rule tells of in a run; further ones are only counted. */
export interface ToldByRule {
  readonly records: ToldRecord[];
  more: number;
}

type Records = Map<string, Map<string, RecordMemory>>;

/** Judges the records of a run by the rules of its schedule, one after the other. */
export class RunJudge {
  readonly told: ReadonlyMap<string, ToldByRule>;
  readonly #rules: readonly RunRule[];
  readonly #before: RulesState;
  readonly #nowMs: number;
  readonly #isCrawl: boolean;
  readonly #records: Records;
  readonly #pages: Map<string, 0 | 1>;
  readonly #seen = new Set<string>();
  readonly #keys: Map<string, string>;
  #left: number = LIMITS.maxToldPerRun;
  #count: number;
  #characters: number;
  #omitted = 0;

  constructor(
    rules: readonly RunRule[],
    before: RulesState,
    { nowMs, isCrawl }: { readonly nowMs: number; readonly isCrawl: boolean },
  ) {
    this.#rules = rules;
    this.#before = before;
    this.#nowMs = nowMs;
    this.#isCrawl = isCrawl;
    this.told = new Map(rules.map(({ key }) => [key, { records: [], more: 0 }]));
    this.#records = new Map(
      Object.entries(before.records).map(([list, records]) => [list, new Map(Object.entries(records))]),
    );
    this.#pages = new Map(Object.entries(before.pages));
    this.#keys = new Map(Object.entries(before.keys));
    const known = [...this.#records.values()].flatMap((records) => [...records.values()]);
    this.#count = known.length;
    this.#characters = known.reduce((sum, record) => sum + sizeOf(record), 0);
  }

  /** Returns the field by which the records of a list are matched. */
  keyOf(list: string): string | undefined {
    return this.#keys.get(list);
  }

  /** Sets that field, and forgets the records by another one. */
  setKey(list: string, key: string): void {
    if (this.#keys.get(list) === key) return;
    this.#keys.set(list, key);
    this.#records.delete(list);
  }

  /**
   * Notes a page of the run. Returns whether its records may be older than they seem: no page of the schedule was judged, or this
   * one never had content.
   */
  notePage(page: string, hasContent: boolean): boolean {
    const known = this.#pages.get(page);
    if (known === undefined && this.#pages.size >= MAX_PAGES) return true;
    this.#pages.set(page, hasContent || known === 1 ? 1 : 0);
    if (known !== undefined) return known === 0;
    return !this.#isCrawl || Object.keys(this.#before.pages).length === 0;
  }

  /** Judges a record; the same one on a second page counts once. */
  judge(found: FoundRecord, isInitialPage: boolean): void {
    const { list, id } = found;
    const place = `${list}\n${id}`;
    if (this.#seen.has(place)) return;
    this.#seen.add(place);
    const records = this.#records.get(list) ?? new Map<string, RecordMemory>();
    this.#records.set(list, records);
    const known = records.get(id);
    if (!known && (this.#count >= MAX_RECORDS || this.#characters >= MAX_CHARACTERS)) {
      this.#omitted += 1;
      return;
    }
    const isAdded = known === undefined || known.gone === true;
    const isInitial = known === undefined && isInitialPage;
    const after = this.#afterRules(found, known, {
      isAdded: isAdded && !isInitial,
      isRemoved: false,
      isInitial,
    });
    this.#count += known ? 0 : 1;
    this.#characters += sizeOf(after) - (known ? sizeOf(known) : 0);
    records.set(id, after);
  }

  /** Judges the records of a list without a place in the run as gone. */
  judgeGone(list: string): void {
    for (const [id, known] of this.#records.get(list) ?? []) {
      if ((known.gone && !isHeld(known)) || this.#seen.has(`${list}\n${id}`)) continue;
      const { key, url, v: values } = known;
      const found = { list, id, key, url, values };
      const after = this.#afterRules(found, known, { isAdded: false, isRemoved: true, isInitial: false });
      this.#records.get(list)?.set(id, { ...after, gone: true });
    }
  }

  /** Returns whether a record has a condition that further runs have to confirm. */
  get isToConfirm(): boolean {
    return [...this.#records.values()].some((records) => [...records.values()].some(isHeld));
  }

  /** Returns what is known after the run. */
  stateAfter(): Pick<RulesState, 'keys' | 'pages' | 'records' | 'omitted'> {
    const watched = new Set(this.#rules.map(({ list }) => list));
    const lists = [...this.#records].filter(([list]) => watched.has(list));
    return {
      keys: Object.fromEntries([...this.#keys].filter(([list]) => watched.has(list))),
      pages: Object.fromEntries(this.#pages),
      records: Object.fromEntries(lists.map(([list, records]) => [list, Object.fromEntries(records)])),
      omitted: this.#omitted,
    };
  }

  #afterRules(
    found: FoundRecord,
    known: RecordMemory | undefined,
    how: Pick<SeenRecord, 'isAdded' | 'isRemoved' | 'isInitial'>,
  ): RecordMemory {
    const { list, key, url, values } = found;
    const last = known?.v ?? {};
    const memories = this.#rules.flatMap((each) => {
      if (each.list !== list) return [];
      const memory = known?.r[each.key] ?? {};
      if (how.isRemoved && !each.readsRemoved) return [[each.key, withoutHeld(memory)] as const];
      // Of a record that was gone before, only what waits to be confirmed is judged again.
      if (how.isRemoved && known?.gone && !memory.held) return [[each.key, memory] as const];
      const isNewRule = !Object.hasOwn(this.#before.rules, each.key);
      const seen = { ...how, values, isInitial: how.isInitial || isNewRule };
      const judged = judgeRecord(each.rule, memory, seen, { nowMs: this.#nowMs, last });
      if (judged.told) this.#tell(each.key, { key, url, values: judged.told, isRemoved: how.isRemoved });
      return [[each.key, judged.memory] as const];
    });
    return { key, url, v: { ...last, ...values }, r: Object.fromEntries(memories) };
  }

  #tell(rule: string, record: ToldRecord): void {
    const told = this.told.get(rule);
    if (!told) return;
    if (this.#left > 0) told.records.push(record);
    else told.more += 1;
    this.#left -= 1;
  }
}

function isHeld({ r }: RecordMemory): boolean {
  return Object.values(r).some(({ held }) => held !== undefined);
}

function withoutHeld({ held: _held, ...memory }: RuleMemory): RuleMemory {
  return memory;
}

/** Returns about as many characters as a record takes in the state. */
function sizeOf({ key, url, v }: RecordMemory): number {
  const texts = Object.values(v).reduce<number>((sum, value) => sum + String(value).length + 20, 0);
  return key.length + url.length + 3 * texts;
}
