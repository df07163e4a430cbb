import {
  AppError,
  type FieldFall,
  type HealthState,
  type PageResult,
  takingTurns,
  type Warning,
} from '@gleaner/contracts';
import type {
  EvidencePage,
  HealthReport,
  StoredHealth,
  StoredJob,
  StoredPage,
  Stores,
} from '@gleaner/storage';
import { crawlTermsOf } from '../crawl/crawl-terms.ts';
import {
  describeField,
  type FieldStates,
  type Judgement,
  judgeRun,
  MAX_RUNS,
  unmetExpectation,
} from './judge-run.ts';
import { type Measuring, measureMissing, measurePage } from './measure-page.ts';
import { allFields, type WatchedField, type WatchedRules, watchedFieldsOf } from './watched-fields.ts';

/** Stores that the fields of runs are measured and judged by. */
export interface HealthDeps {
  readonly stores: {
    readonly clock: Stores['clock'];
    readonly pages: Pick<Stores['pages'], 'findInOrder'>;
    readonly results: Pick<Stores['results'], 'streamResults'>;
    readonly health: Pick<Stores['health'], 'findHealth' | 'replaceHealth'>;
    readonly snapshots: Pick<Stores['snapshots'], 'findEvidence' | 'keepEvidence'>;
  };
  /** Time for which the last good and the first bad page of a schedule are kept. */
  readonly evidenceMs: number;
}

/** Change of the health of a schedule by a run. */
export interface HealthChange {
  readonly health: HealthState;
  readonly fell: readonly FieldFall[];
  readonly recovered: readonly FieldFall[];
}

/** Values of the fields of a run, over its pages that were what was asked for, those that lack required fields included. */
export interface MeasuredFields {
  /** All fields of the job, up to a number. */
  readonly fields: readonly WatchedField[];
  readonly stats: Measuring;
  readonly pages: number;
  /** Pages which have values of as many fields as possible. */
  readonly evidenceUrls: readonly string[];
  /** Pages that failed because they lack required fields. */
  readonly lackingUrls: ReadonlySet<string>;
}

/** A run that was judged, with what it changed. */
interface JudgedRun {
  readonly jobId: string;
  readonly change?: HealthChange;
  /** Fields whose values were not those of the pages. */
  readonly lost?: readonly string[];
}

/** Judgement of a run, as far as its end depends on it. */
export interface RunHealth {
  readonly change: HealthChange | undefined;
  /** Fields that this run, or the one before, returned nothing of the pages for: they cannot be compared. */
  readonly lost: ReadonlySet<string>;
}

/** Health of a schedule, as it is stored. */
export interface ScheduleState {
  readonly fields: FieldStates;
  /** The last runs that were judged, with what each changed: a run that is judged again after a crash changes nothing more. */
  readonly judged: readonly JudgedRun[];
  /** The last pages on which no field was low, and the first on which one was. */
  readonly good: readonly EvidencePage[];
  readonly bad: readonly EvidencePage[];
}

/** Fields of one schedule that are watched. */
const MAX_FIELDS = 200;
const MAX_EVIDENCE = 3;
/** Pages of one run that are measured: of a larger one, the first of them. */
const MAX_PAGES = 10_000;
const PAGES_AT_ONCE = 500;
const RESULTS_AT_ONCE = 50;
/** Runs that are remembered as judged. */
const MAX_JUDGED = 50;
/** Number of attempts at a change while other runs of the schedule are judged. */
const MAX_TRIES = 20;
/** Time after which the health of a schedule without runs is forgotten. */
const FORGET_MS = 400 * 24 * 3600 * 1000;
const NEW: ScheduleState = { fields: {}, judged: [], good: [], bad: [] };

/** Measures the fields of a run whose pages have ended, a few results at a time. */
export async function measureRun(
  job: Pick<StoredJob, 'id' | 'optionsJson' | 'crawlJson'>,
  { stores: { pages, results } }: Pick<HealthDeps, 'stores'>,
  signal: AbortSignal,
): Promise<MeasuredFields> {
  const rules = watchedFieldsOf(JSON.parse(job.optionsJson), crawlTermsOf(job));
  const measured = {
    fields: allFields(rules).slice(0, MAX_FIELDS),
    stats: new Map() as Measuring,
    pages: 0,
    evidenceUrls: [] as string[],
    lackingUrls: new Set<string>(),
  };
  if (measured.fields.length === 0) return measured;
  const covered = new Set<string>();
  const takeTurns = takingTurns();
  let afterId = '';
  while (measured.pages < MAX_PAGES) {
    const states = ['succeeded', 'failed'] as const;
    const chunk = await pages.findInOrder(job.id, { states, afterId, limit: PAGES_AT_ONCE });
    for (const page of chunk) addFailed(page, { rules, measured });
    const content = chunk.filter(
      ({ state, verdict = 'content' }) => state === 'succeeded' && verdict === 'content',
    );
    for (let first = 0; first < content.length; first += RESULTS_AT_ONCE) {
      const some = new Map(content.slice(first, first + RESULTS_AT_ONCE).map((page) => [page.id, page]));
      for await (const { id, json } of results.streamResults([...some.values()])) {
        addPage(some.get(id), json, { rules, covered, measured });
        await takeTurns();
        signal.throwIfAborted();
      }
    }
    if (chunk.length < PAGES_AT_ONCE) break;
    afterId = chunk.at(-1)?.id ?? '';
  }
  return measured;
}

/** Adds a page of content that failed because it lacks required fields. */
function addFailed(
  { url, state, failure, crawled }: StoredPage,
  {
    rules,
    measured,
  }: {
    readonly rules: WatchedRules;
    readonly measured: { readonly stats: Measuring; pages: number; readonly lackingUrls: Set<string> };
  },
): void {
  if (state !== 'failed' || failure?.code !== 'REQUIRED_FIELD_MISSING' || failure.verdict !== 'content')
    return;
  const missing = new Set((failure.details ?? []).map(({ path }) => path));
  measureMissing(fieldsFor(crawled?.rule, rules), missing, measured.stats);
  measured.lackingUrls.add(url);
  measured.pages += 1;
}

function fieldsFor(rule: number | undefined, rules: WatchedRules): readonly WatchedField[] {
  return rules.get(rule) ?? rules.get(undefined) ?? [];
}

function addPage(
  page: StoredPage | undefined,
  json: string,
  {
    rules,
    covered,
    measured,
  }: {
    readonly rules: WatchedRules;
    readonly covered: Set<string>;
    readonly measured: { readonly stats: Measuring; pages: number; readonly evidenceUrls: string[] };
  },
): void {
  if (!page) return;
  const fields = fieldsFor(page.crawled?.rule, rules);
  const { url, data, ...result } = JSON.parse(json) as PageResult;
  const warnings = 'warnings' in result && result.warnings ? result.warnings : [];
  const filled = measurePage(fields, { ...(data && { data }), warnings }, measured.stats);
  measured.pages += 1;
  const isNews = [...filled].some((path) => !covered.has(path));
  if (!isNews || measured.evidenceUrls.length >= MAX_EVIDENCE) return;
  measured.evidenceUrls.push(url);
  for (const path of filled) covered.add(path);
}

/** Returns a warning for each field that did not meet its expectation. */
export function findUnmet({ fields, stats }: MeasuredFields): Warning[] {
  return fields.flatMap((field) => {
    const measured = stats.get(field.path);
    const unmet = measured && unmetExpectation(field, measured);
    if (!unmet) return [];
    const { measure, before, now } = unmet;
    const message =
      measure === 'fill'
        ? `The field has a value in ${percent(now)} of its places; at least ${percent(before)} were expected.`
        : `The field has ${now} values on a page on average; at least ${before} were expected.`;
    return [{ field: field.path, code: 'EXPECTATION_FAILED' as const, message }];
  });
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10} %`;
}

/**
 * Judges a run of a schedule, durably and once: a run that was judged before, by this process or another one, returns what
 * it changed then. A run without pages of content says nothing. Throws SERVICE_UNAVAILABLE if other runs keep coming first.
 */
export async function judgeSchedule(
  job: Pick<StoredJob, 'id' | 'accountId' | 'createdAt'> & { readonly scheduleId: string },
  measured: MeasuredFields,
  { stores, evidenceMs }: HealthDeps,
): Promise<RunHealth> {
  const { scheduleId, id: jobId, accountId } = job;
  const run = { scheduleId, runId: jobId };
  const keepEvidence = async ({ good, bad }: ScheduleState) =>
    await stores.snapshots.keepEvidence(
      run,
      [...good, ...bad].map(({ snapshotId }) => snapshotId),
      new Date(stores.clock.nowMs() + evidenceMs),
    );
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const stored = await stores.health.findHealth(scheduleId);
    const before = readState(stored);
    if (measured.pages === 0 || before.judged.some((judged) => judged.jobId === jobId)) {
      await keepEvidence(before);
      return healthOfRun(before, jobId);
    }
    const at = job.createdAt.toISOString();
    const judgement = judgeRun(before.fields, measured.fields, { jobId, at, stats: measured.stats });
    const kept = await stores.snapshots.findEvidence(run, [
      ...new Set([...(stored?.evidenceUrls ?? []), ...measured.evidenceUrls]),
    ]);
    const pages = [...kept].map(([url, snapshotId]) => ({ url, snapshotId, at }));
    const { fell, recovered, health, lost } = judgement;
    const change = fell.length + recovered.length > 0 ? { health, fell, recovered } : undefined;
    const after: ScheduleState = {
      fields: judgement.fields,
      judged: [
        ...before.judged,
        { jobId, ...(change && { change }), ...(lost.length > 0 && { lost }) },
      ].slice(-MAX_JUDGED),
      ...evidenceAfter(before, judgement, pages, measured),
    };
    const isStored = await stores.health.replaceHealth(
      {
        ...{ scheduleId, accountId, health, revision: (stored?.revision ?? 0) + 1 },
        evidenceUrls: judgement.isLow ? (stored?.evidenceUrls ?? []) : measured.evidenceUrls,
        stateJson: JSON.stringify(after),
        reportJson: JSON.stringify(reportOf(after, jobId)),
      },
      stored?.revision,
      new Date(stores.clock.nowMs() + FORGET_MS),
    );
    if (!isStored) continue;
    await keepEvidence(after);
    return healthOfRun(after, jobId);
  }
  throw new AppError('SERVICE_UNAVAILABLE', {
    message: 'Other runs of the schedule were judged at the same time; this one is judged again.',
    retryAfterSeconds: 1,
  });
}

function healthOfRun({ judged }: ScheduleState, jobId: string): RunHealth {
  const index = judged.findIndex((run) => run.jobId === jobId);
  const [own, previous] = index < 0 ? [undefined, judged.at(-1)] : [judged[index], judged[index - 1]];
  return { change: own?.change, lost: new Set([...(own?.lost ?? []), ...(previous?.lost ?? [])]) };
}

/** Returns what a run that may have been judged before it was cancelled changed. */
export async function findJudged(
  { id, scheduleId }: Pick<StoredJob, 'id' | 'scheduleId'>,
  { stores: { health } }: { readonly stores: { readonly health: Pick<Stores['health'], 'findHealth'> } },
): Promise<HealthChange | undefined> {
  if (scheduleId === undefined) return undefined;
  const { judged } = readState(await health.findHealth(scheduleId));
  return judged.find(({ jobId }) => jobId === id)?.change;
}

/** Returns what is shown: the fields that have fallen first. */
function reportOf({ fields, judged, good, bad }: ScheduleState, lastJobId: string): HealthReport {
  const shown = Object.entries(fields).map(([path, field]) => describeField(path, field));
  return {
    runs: Math.min(judged.length, MAX_RUNS),
    lastJobId,
    fields: [...shown.filter(({ fallen }) => fallen), ...shown.filter(({ fallen }) => !fallen)],
    ...{ good, bad },
  };
}

function readState(stored: StoredHealth | null): ScheduleState {
  return stored ? (JSON.parse(stored.stateJson) as ScheduleState) : NEW;
}

/** Returns the pages that show how the fields were, and how they are since one is low. */
function evidenceAfter(
  { good, bad }: ScheduleState,
  { isLow, isNewlyLow }: Judgement,
  pages: readonly EvidencePage[],
  { lackingUrls }: MeasuredFields,
): Pick<ScheduleState, 'good' | 'bad'> {
  if (!isLow) {
    const whole = pages.filter(({ url }) => !lackingUrls.has(url)).slice(0, MAX_EVIDENCE);
    return { good: whole.length > 0 ? whole : good, bad: [] };
  }
  const isFirst = isNewlyLow || bad.length === 0;
  return { good, bad: isFirst && pages.length > 0 ? pages.slice(0, MAX_EVIDENCE) : bad };
}
