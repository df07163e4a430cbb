import {
  AppError,
  defined,
  LIMITS,
  type PageResult,
  parseInTurns,
  type Rule,
  type SelectorMap,
  takingTurns,
} from '@gleaner/contracts';
import type { StoredJob, StoredPage, StoredRules, Stores, ToldByRun } from '@gleaner/storage';
import { crawlTermsOf } from '../../crawl/crawl-terms.ts';
import { hashOf } from '../canonical.ts';
import { chooseKey, type Data, isRecord, keyOf, RUN_SAMPLE } from '../diff-value.ts';
import { keysIn, listsIn } from '../match-records.ts';
import { Digests, type Gathered } from './digests.ts';
import { encodeValue } from './encode-value.ts';
import { type HastenDeps, hastenRun } from './hasten-run.ts';
import type { Values } from './judge-record.ts';
import { RunJudge } from './judge-rules.ts';
import { renderMessages } from './render-messages.ts';
import { type RunRule, rulesOf } from './rules-of-run.ts';
import { type JudgedRun, MAX_JUDGED, NEW_STATE, type RulesState } from './rules-state.ts';

/** Stores and settings of judging runs by rules. */
export interface RulesDeps extends HastenDeps {
  readonly stores: {
    readonly clock: Stores['clock'];
    readonly pages: Pick<Stores['pages'], 'findInOrder'>;
    readonly results: Pick<Stores['results'], 'streamResults'>;
    readonly ruleReports: Pick<Stores['ruleReports'], 'findRules' | 'replaceRules'>;
    readonly tellings: Pick<Stores['tellings'], 'put'>;
  };
  readonly retentionMs: number;
}

type RunOfSchedule = StoredJob & { readonly scheduleId: string; readonly rulesJson: string };

/** Number of attempts while other runs of the schedule are judged. */
const MAX_TRIES = 20;
/** Time after which the knowledge of a schedule without runs is forgotten. */
const FORGET_MS = 400 * 24 * 3600 * 1000;
const PAGES_AT_ONCE = 500;
const RESULTS_AT_ONCE = 50;
const STATES = ['succeeded', 'visited', 'failed', 'missing', 'skipped', 'cancelled'] as const;

/**
 * Judges a run of a schedule by its rules, durably and once, without the fields that are low in it: the messages are stored under a key that follows from the run and from
 * what was known before it, then one write to the knowledge of the schedule names the run and the key. A run that was judged before, by
 * this process or another one, returns its messages of then. Throws SERVICE_UNAVAILABLE if other runs keep coming first.
 */
export async function watchRules(
  job: RunOfSchedule,
  low: ReadonlySet<string>,
  deps: RulesDeps,
  signal: AbortSignal,
): Promise<ToldByRun | undefined> {
  const { ruleReports } = deps.stores;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const stored = await ruleReports.findRules(job.scheduleId);
    const before = stored ? ((await parseInTurns(stored.stateJson)) as RulesState) : NEW_STATE;
    const judged =
      before.judged.find(({ jobId }) => jobId === job.id) ??
      (await judge(job, { before, stored, low }, deps, signal));
    if (!judged) continue;
    if (judged.confirmAt !== undefined) await hastenRun(job, new Date(judged.confirmAt), deps, signal);
    return judged.messages > 0 ? { key: judged.key, messages: judged.messages } : undefined;
  }
  throw new AppError('SERVICE_UNAVAILABLE', {
    message: 'Other runs of the schedule were judged at the same time; this one is judged again.',
    retryAfterSeconds: 1,
  });
}

/** Judges a run, and stores what is known after it; returns undefined if another run came first. */
async function judge(
  job: RunOfSchedule,
  {
    before,
    stored,
    low,
  }: { readonly before: RulesState; readonly stored: StoredRules | null; readonly low: ReadonlySet<string> },
  { stores, retentionMs }: RulesDeps,
  signal: AbortSignal,
): Promise<JudgedRun | undefined> {
  const nowMs = stores.clock.nowMs();
  const run = new RunToJudge(job, before, low, nowMs);
  await run.read(stores, signal);
  run.gather();
  const texts = run.messages();
  const revision = (stored?.revision ?? 0) + 1;
  const key = `${job.id}.${revision}`;
  const judged = { jobId: job.id, key, messages: texts.length, ...run.confirmation() };
  if (texts.length > 0) await stores.tellings.put(key, texts, new Date(nowMs + retentionMs));
  const after = run.stateAfter(judged);
  const isStored = await stores.ruleReports.replaceRules(
    {
      scheduleId: job.scheduleId,
      accountId: job.accountId,
      revision,
      stateJson: JSON.stringify(after),
      reportJson: JSON.stringify(run.report(after)),
    },
    stored?.revision,
    new Date(nowMs + FORGET_MS),
  );
  return isStored ? judged : undefined;
}

/** A run that is judged by the rules of its schedule. */
class RunToJudge {
  readonly #job: RunOfSchedule;
  readonly #before: RulesState;
  readonly #rules: readonly RunRule[];
  readonly #fallen: ReadonlySet<string>;
  readonly #nowMs: number;
  readonly #judge: RunJudge;
  readonly #takeTurns = takingTurns();
  /** Paths of the fields that rules read, by their list. */
  readonly #fields: ReadonlyMap<string, readonly string[]>;
  /** Records of each rule, by its key, once the run is read. */
  #gathered: ReadonlyMap<string, Gathered> = new Map();
  #isWhole = true;

  constructor(job: RunOfSchedule, before: RulesState, fallen: ReadonlySet<string>, nowMs: number) {
    this.#job = job;
    this.#before = before;
    this.#fallen = new Set([...fallen].map((path) => path.replace(/^rules\.\d+\./, '')));
    this.#nowMs = nowMs;
    const crawl = crawlTermsOf(job);
    const { selectors }: { selectors?: SelectorMap } = JSON.parse(job.optionsJson);
    const given = [selectors, ...(crawl?.rules ?? []).map((rule) => rule.selectors)];
    const maps = given.filter((map) => map !== undefined);
    const rules: Rule[] = JSON.parse(job.rulesJson);
    this.#rules = rulesOf(rules, new Set(maps.flatMap((map) => listPathsIn(map))));
    this.#judge = new RunJudge(this.#rules, before, { nowMs, isCrawl: crawl !== undefined });
    const byList = Map.groupBy(this.#rules, ({ list }) => list);
    this.#fields = new Map(
      [...byList].map(([list, ofList]) => [list, [...new Set(ofList.flatMap(({ fields }) => [...fields]))]]),
    );
    for (const [list, key] of maps.flatMap((map) => [...keysIn(map)])) this.#judge.setKey(list, key);
    this.#isWhole = job.crawl?.stoppedBy === undefined;
  }

  /** Judges the records of all pages, a few results at a time, and then those that are gone. */
  async read({ pages, results }: RulesDeps['stores'], signal: AbortSignal): Promise<void> {
    let afterId = '';
    for (;;) {
      const chunk = await pages.findInOrder(this.#job.id, { states: STATES, afterId, limit: PAGES_AT_ONCE });
      const initial = new Map<string, boolean>();
      for (const page of chunk) initial.set(page.id, this.#notePage(page));
      const content = chunk.filter(hasContent);
      for (let first = 0; first < content.length; first += RESULTS_AT_ONCE) {
        const some = new Map(content.slice(first, first + RESULTS_AT_ONCE).map((page) => [page.id, page]));
        for await (const { id, json } of results.streamResults([...some.values()])) {
          const page = some.get(id);
          if (page) await this.#judgePage(page, json, initial.get(id) ?? true);
          signal.throwIfAborted();
        }
      }
      if (chunk.length < PAGES_AT_ONCE) break;
      afterId = chunk.at(-1)?.id ?? '';
    }
    if (!this.#isWhole) return;
    for (const list of this.#fields.keys()) {
      if (list !== '' && !this.#hasFallen(list)) this.#judge.judgeGone(list);
    }
  }

  /** Divides the records of each rule into told ones, and waiting ones of its digest. */
  gather(): void {
    const digests = new Digests(this.#nowMs);
    this.#gathered = new Map(
      this.#rules.map(({ rule, key }) => {
        const known = this.#before.rules[key]?.waiting;
        return [key, digests.gather(rule, this.#judge.told.get(key), known)];
      }),
    );
  }

  /** Returns the messages of the run as JSON, in the order of the rules. */
  messages(): string[] {
    return this.#rules.flatMap(({ rule, key }) => {
      const told = this.#gathered.get(key)?.told;
      return told ? [...renderMessages(rule, told)].map((message) => JSON.stringify(message)) : [];
    });
  }

  /** Returns the time for another run, if a rule is to be confirmed and has not had as many already. */
  confirmation(): Pick<JudgedRun, 'confirmAt'> {
    const most = Math.max(0, ...this.#rules.map(({ rule: { confirm = 0 } }) => confirm));
    const isWanted = this.#judge.isToConfirm && (this.#before.confirming ?? 0) < most;
    return isWanted ? { confirmAt: this.#nowMs + LIMITS.confirmAfterMs } : {};
  }

  /** Returns what is known after the run. */
  stateAfter(judged: JudgedRun): RulesState {
    const rules = this.#rules.map(({ rule, key }) => {
      const { waiting: _waited, ...known } = this.#before.rules[key] ?? { told: 0 };
      const { told, waiting } = this.#gathered.get(key) ?? {};
      const waits = defined({ waiting });
      const count = (told?.records.length ?? 0) + (told?.more ?? 0);
      if (!told || count === 0) return [key, { ...known, ...waits }] as const;
      const [message] = renderMessages(rule, told);
      const history = {
        ...waits,
        told: known.told + count,
        lastToldAt: new Date(this.#nowMs).toISOString(),
        lastJobId: judged.jobId,
        lastTitle: message?.title ?? '',
      };
      return [key, history] as const;
    });
    return {
      ...this.#judge.stateAfter(),
      rules: Object.fromEntries(rules),
      judged: [...this.#before.judged, judged].slice(-MAX_JUDGED),
      ...(judged.confirmAt !== undefined && { confirming: (this.#before.confirming ?? 0) + 1 }),
    };
  }

  /** Returns what users see of it. */
  report({ rules, records, omitted }: RulesState) {
    const counts = Object.values(records).map((list) => Object.keys(list).length);
    return {
      rules: this.#rules.map(({ rule: { name }, key }) => {
        const { told = 0, waiting, lastToldAt = null, lastJobId = null, lastTitle = null } = rules[key] ?? {};
        const count = waiting && waiting.records.length + waiting.more;
        return { name, told, ...defined({ waiting: count }), lastToldAt, lastJobId, lastTitle };
      }),
      records: counts.reduce((sum, count) => sum + count, 0),
      omitted,
    };
  }

  #notePage(page: StoredPage): boolean {
    const isContent = hasContent(page);
    if (!isContent && page.state !== 'missing') this.#isWhole = false;
    return this.#judge.notePage(String(hashOf(nameOf(page))), isContent);
  }

  async #judgePage(page: StoredPage, json: string, isInitial: boolean): Promise<void> {
    const data = await this.#readData(json);
    const lists = listsIn(data);
    for (const [list, fields] of this.#fields) {
      if (list === '') {
        const values = this.#valuesOf(data, fields, '');
        const name = nameOf(page);
        const found = { list, id: String(hashOf(`\n${name}`)), key: name, url: page.url, values };
        this.#judge.judge(found, isInitial);
        continue;
      }
      const records = lists.get(list) ?? [];
      const field = this.#judge.keyOf(list) ?? (await this.#findKey(list, records));
      for (const record of records) {
        await this.#takeTurns();
        const key = keyOf(record, field);
        if (key === undefined) continue;
        const values = this.#valuesOf(record, fields, list);
        const found = {
          list,
          id: String(hashOf(`${list}\n=${key}`)),
          key: key.slice(0, MAX_KEY),
          url: page.url,
          values,
        };
        this.#judge.judge(found, isInitial);
      }
    }
    await this.#takeTurns();
  }

  /** Reads the data of a result, or its formats by their names if it has no data. */
  async #readData(json: string): Promise<Data> {
    const result = (await parseInTurns(json, () => this.#takeTurns())) as PageResult;
    if (result.data) return result.data;
    return { formats: ('formats' in result && result.formats) || {} };
  }

  /** Finds the field that tells the records of a list apart, once for all runs. */
  async #findKey(list: string, records: readonly Data[]): Promise<string | undefined> {
    const steps = chooseKey(records, records, RUN_SAMPLE);
    for (;;) {
      const { done, value } = steps.next();
      await this.#takeTurns();
      if (!done) continue;
      if (value !== undefined) this.#judge.setKey(list, value);
      return value;
    }
  }

  #valuesOf(data: Data, fields: readonly string[], list: string): Values {
    return Object.fromEntries(
      fields.flatMap((field) => {
        if (this.#hasFallen(field)) return [];
        const value = memberAt(data, list === '' ? field : field.slice(list.length + 1));
        return value === undefined ? [] : [[field, encodeValue(value)] as const];
      }),
    );
  }

  /** Returns whether a field, or what is around it, has fallen. */
  #hasFallen(field: string): boolean {
    return [...this.#fallen].some((path) => field === path || field.startsWith(`${path}.`));
  }
}

/** Characters of the text by which a record is matched. */
const MAX_KEY = 300;

function hasContent({ state, verdict = 'content' }: StoredPage): boolean {
  return state === 'succeeded' && verdict === 'content';
}

function nameOf({ crawled, url }: StoredPage): string {
  return crawled?.key ?? url;
}

/** Returns the value at a dotted path, or undefined. */
function memberAt(data: Data, path: string): unknown {
  let value: unknown = data;
  for (const name of path.split('.')) {
    if (!isRecord(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/** Returns the paths of the lists of records that selectors select, outside of other lists. */
function listPathsIn(selectors: SelectorMap, outer = ''): string[] {
  return Object.entries(selectors).flatMap(([name, selector]) => {
    if (typeof selector === 'string' || !selector.fields) return [];
    const path = outer + name;
    const isMany = selector.all === true || /::\s*all\s*$/i.test(selector.selector ?? '');
    return isMany ? [path] : listPathsIn(selector.fields, `${path}.`);
  });
}
