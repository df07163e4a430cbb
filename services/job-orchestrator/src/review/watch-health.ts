import { AppError, type FieldFall, type HealthState, type Warning } from '@gleaner/contracts';
import type { EvidencePage, HealthReport, StoredHealth, StoredJob, Stores } from '@gleaner/storage';
import {
  describeField,
  type FieldStates,
  type Judgement,
  judgeRun,
  MAX_RUNS,
  unmetExpectation,
} from './judge-run.ts';
import { MAX_EVIDENCE, type MeasuredFields } from './measure-run.ts';

/** Stores and settings of judging runs. */
export interface HealthDeps {
  readonly stores: {
    readonly clock: Stores['clock'];
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

/** A judged run, and its changes. */
interface JudgedRun {
  readonly jobId: string;
  readonly change?: HealthChange;
  /** Fields that are low. */
  readonly low?: readonly string[];
  /** Fields without values of the pages. */
  readonly lost?: readonly string[];
  /** Fields that have values of the pages again, each with the last run before their loss. */
  readonly regained?: Readonly<Record<string, string>>;
}

/** Judgement of a run, as far as its end depends on it. */
export interface RunHealth {
  readonly change: HealthChange | undefined;
  /** Fields that this run, or the one before, returned nothing of the pages for: they cannot be compared. */
  readonly lost: ReadonlySet<string>;
  /** Fields that are low in this run. */
  readonly low: ReadonlySet<string>;
  /** Fields that this run has again, each with the last run before their loss: they are compared with that one. */
  readonly regained: ReadonlyMap<string, string>;
}

/** Health of a schedule, as it is stored. */
export interface ScheduleState {
  readonly fields: FieldStates;
  /** The last judged runs, and their changes: a run that is judged again after a crash changes nothing more. */
  readonly judged: readonly JudgedRun[];
  /** The last pages without a low field, and the first ones with a low field. */
  readonly good: readonly EvidencePage[];
  readonly bad: readonly EvidencePage[];
  /** Fields that have a value on the good pages, by the ids of their snapshots. */
  readonly shown?: Readonly<Record<string, readonly string[]>>;
  /** Fields without values of the pages, each with the last run before their loss. */
  readonly lastGood?: Readonly<Record<string, string>>;
}

/** Runs that are remembered as judged. */
const MAX_JUDGED = 50;
/** Number of attempts at a change while other runs of the schedule are judged. */
const MAX_TRIES = 20;
/** Time after which the health of a schedule without runs is forgotten. */
const FORGET_MS = 400 * 24 * 3600 * 1000;
const NEW: ScheduleState = { fields: {}, judged: [], good: [], bad: [] };

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

type RunOfSchedule = Pick<StoredJob, 'id' | 'accountId' | 'createdAt'> & { readonly scheduleId: string };

/**
 * Judges a run of a schedule, durably and once: a run that was judged before, by this process or another one, returns its
 * changes of then. A run without pages of content says nothing. `known` is the health as it was read before. Throws SERVICE_UNAVAILABLE if other runs keep coming first.
 */
export async function judgeSchedule(
  job: RunOfSchedule,
  measured: MeasuredFields,
  deps: HealthDeps,
  known?: StoredHealth | null,
): Promise<RunHealth> {
  const { clock, health, snapshots } = deps.stores;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const isKnown = tries === 0 && known !== undefined;
    const stored = isKnown ? known : await health.findHealth(job.scheduleId);
    const before = readState(stored);
    const isDone = measured.pages === 0 || before.judged.some(({ jobId }) => jobId === job.id);
    const state = isDone ? before : await storeJudgement(job, measured, stored, deps);
    if (!state) continue;
    const ids = [...state.good, ...state.bad].map(({ snapshotId }) => snapshotId);
    await snapshots.keepEvidence(runOf(job), ids, new Date(clock.nowMs() + deps.evidenceMs));
    return healthOfRun(state, job.id);
  }
  throw new AppError('SERVICE_UNAVAILABLE', {
    message: 'Other runs of the schedule were judged at the same time; this one is judged again.',
    retryAfterSeconds: 1,
  });
}

/** Judges a run, and stores the state of its schedule after it; returns undefined if another run came first. */
async function storeJudgement(
  job: RunOfSchedule,
  measured: MeasuredFields,
  stored: StoredHealth | null,
  { stores }: HealthDeps,
): Promise<ScheduleState | undefined> {
  const { id: jobId, scheduleId, accountId } = job;
  const { evidenceUrls = [], revision = 0 } = stored ?? {};
  const before = readState(stored);
  const at = job.createdAt.toISOString();
  const judgement = judgeRun(before.fields, measured.fields, { jobId, at, stats: measured.stats });
  const urls = new Set([...evidenceUrls, ...measured.evidenceUrls]);
  const kept = await stores.snapshots.findEvidence(runOf(job), [...urls]);
  const pages = [...kept].map(([url, snapshotId]) => ({ url, snapshotId, at }));
  const after = stateAfter(before, judgement, { jobId, pages, measured });
  const isStored = await stores.health.replaceHealth(
    {
      scheduleId,
      accountId,
      health: judgement.health,
      revision: revision + 1,
      evidenceUrls: judgement.isLow ? evidenceUrls : measured.evidenceUrls,
      stateJson: JSON.stringify(after),
      reportJson: JSON.stringify(reportOf(after, jobId)),
    },
    stored?.revision,
    new Date(stores.clock.nowMs() + FORGET_MS),
  );
  return isStored ? after : undefined;
}

function runOf({ id: runId, scheduleId }: RunOfSchedule) {
  return { scheduleId, runId };
}

/** Returns the state of a schedule after a run. */
function stateAfter(
  before: ScheduleState,
  judgement: Judgement,
  {
    jobId,
    pages,
    measured,
  }: { readonly jobId: string; readonly pages: readonly EvidencePage[]; readonly measured: MeasuredFields },
): ScheduleState {
  const { fields, fell, recovered, health, low, lost } = judgement;
  const { lastGood, regained } = followLosses(before, lost, measured);
  const judged = {
    jobId,
    ...(fell.length + recovered.length > 0 && { change: { health, fell, recovered } }),
    ...(low.length > 0 && { low }),
    ...(lost.length > 0 && { lost }),
    ...(Object.keys(regained).length > 0 && { regained }),
  };
  return {
    fields,
    judged: [...before.judged, judged].slice(-MAX_JUDGED),
    lastGood,
    ...evidenceAfter(before, judgement, pages, measured),
  };
}

function healthOfRun({ judged }: ScheduleState, jobId: string): RunHealth {
  const index = judged.findIndex((run) => run.jobId === jobId);
  const [own, previous] = index < 0 ? [undefined, judged.at(-1)] : [judged[index], judged[index - 1]];
  const regained = new Map(Object.entries(own?.regained ?? {}));
  const lost = new Set([...(own?.lost ?? []), ...(previous?.lost ?? []), ...regained.keys()]);
  return { change: own?.change, low: new Set(own?.low), lost, regained };
}

/** Returns the last good runs of lost fields, and of fields that have values again. */
function followLosses(
  { lastGood = {}, judged }: ScheduleState,
  lost: readonly string[],
  { fields, stats }: MeasuredFields,
): Required<Pick<ScheduleState, 'lastGood'> & Pick<JudgedRun, 'regained'>> {
  const last = judged.at(-1)?.jobId;
  const regained: Record<string, string> = {};
  const stillLost: Record<string, string> = {};
  for (const { path } of fields) {
    const isLost = lost.includes(path);
    const good = Object.hasOwn(lastGood, path) ? lastGood[path] : isLost ? last : undefined;
    if (good === undefined) continue;
    const hasValues = !isLost && (stats.get(path)?.filled ?? 0) > 0;
    Object.defineProperty(hasValues ? regained : stillLost, path, { value: good, enumerable: true });
  }
  return { lastGood: stillLost, regained };
}

/** Returns the changes of a run that was judged before it was cancelled; undefined if there are none. */
export async function findJudged(
  { id, scheduleId }: Pick<StoredJob, 'id' | 'scheduleId'>,
  { stores: { health } }: { readonly stores: { readonly health: Pick<Stores['health'], 'findHealth'> } },
): Promise<HealthChange | undefined> {
  if (scheduleId === undefined) return undefined;
  const { judged } = readState(await health.findHealth(scheduleId));
  return judged.find(({ jobId }) => jobId === id)?.change;
}

/** Returns the report for users; fallen fields come first. */
function reportOf({ fields, judged, good, bad }: ScheduleState, lastJobId: string): HealthReport {
  const shown = Object.entries(fields).map(([path, field]) => describeField(path, field));
  return {
    runs: Math.min(judged.length, MAX_RUNS),
    lastJobId,
    fields: [...shown.filter(({ fallen }) => fallen), ...shown.filter(({ fallen }) => !fallen)],
    good,
    bad,
  };
}

function readState(stored: StoredHealth | null): ScheduleState {
  return stored ? (JSON.parse(stored.stateJson) as ScheduleState) : NEW;
}

/** Returns the pages that show how the fields were, and how they are since one is low. */
function evidenceAfter(
  { good, bad, shown = {} }: ScheduleState,
  { isLow, isNewlyLow }: Judgement,
  pages: readonly EvidencePage[],
  measured: MeasuredFields,
): Pick<ScheduleState, 'good' | 'bad' | 'shown'> {
  if (!isLow) return { ...goodPages({ good, shown }, pages, measured), bad: [] };
  const isFirst = isNewlyLow || bad.length === 0;
  return { good, shown, bad: isFirst && pages.length > 0 ? pages.slice(0, MAX_EVIDENCE) : bad };
}

/** Returns the pages of a good run, and pages of earlier runs that show further fields. */
function goodPages(
  { good, shown }: Required<Pick<ScheduleState, 'good' | 'shown'>>,
  pages: readonly EvidencePage[],
  { fields, lackingUrls, shown: shownNow }: MeasuredFields,
): Pick<ScheduleState, 'good' | 'shown'> {
  const whole = pages.filter(({ url }) => !lackingUrls.has(url)).slice(0, MAX_EVIDENCE);
  if (whole.length === 0) return { good, shown };
  const covered = new Set(whole.flatMap(({ url }) => shownNow.get(url) ?? []));
  const left = new Set(fields.flatMap(({ path }) => (covered.has(path) ? [] : [path])));
  const kept: EvidencePage[] = [];
  for (const page of good) {
    const own = (shown[page.snapshotId] ?? []).filter((path) => left.has(path));
    if (own.length === 0 || kept.length >= MAX_EVIDENCE) continue;
    kept.push(page);
    for (const path of own) left.delete(path);
  }
  const fresh = whole.filter(({ url }) => !kept.some((page) => page.url === url));
  const next = [...fresh.slice(0, MAX_EVIDENCE - kept.length), ...kept];
  const fieldsOf = ({ url, snapshotId }: EvidencePage) =>
    kept.some((page) => page.snapshotId === snapshotId)
      ? (shown[snapshotId] ?? [])
      : (shownNow.get(url) ?? []);
  return { good: next, shown: Object.fromEntries(next.map((page) => [page.snapshotId, fieldsOf(page)])) };
}
