import { AppError, type ErrorSource, type StageName, untilAborted } from '@gleaner/contracts';
import type { StageClock } from '@gleaner/egress';

/** Ends a list early: its work is done, or it begins again. */
type Ending = 'done' | 'again';

/** Work of a stage. Throws what ends the attempt. */
type Work<Subject> = (
  subject: Subject,
) => Ending | undefined | void | Promise<void> | Promise<Ending | undefined>;

/** Stage with a time of its own, or under a condition. */
interface NamedStage<Subject> {
  /** Name in traces, and in the TIMEOUT of a stage with a phrase. */
  readonly stage?: StageName;
  /** Without it, the stage always comes. */
  readonly when?: (subject: Subject) => boolean;
  readonly run: Work<Subject>;
  /** Returns the error to throw for one of the stage. */
  readonly explain?: (error: unknown, subject: Subject) => unknown;
}

/** One entry of a list of stages. */
export type Stage<Subject> = Work<Subject> | NamedStage<Subject>;

/** A page, or a visit to one, that goes through a list of stages. */
interface Timed {
  readonly clock: StageClock;
  readonly signal: AbortSignal;
  /** True where a stage is left at the deadline, because a browser may never answer it. */
  readonly leavesStages?: boolean;
}

/** Runs the stages in order. Returns how the list ended, if not by its last stage. */
export async function runStages<Subject extends Timed>(
  stages: readonly Stage<Subject>[],
  subject: Subject,
): Promise<Ending | undefined> {
  for (const entry of stages) {
    const ending = typeof entry === 'function' ? entry(subject) : runNamed(entry, subject);
    const early = ending instanceof Promise ? await ending : ending;
    if (early) return early;
  }
  return undefined;
}

function runNamed<Subject extends Timed>(
  { stage, when, run, explain }: NamedStage<Subject>,
  subject: Subject,
): ReturnType<Work<Subject>> {
  if (when && !when(subject)) return undefined;
  const running = stage ? runInTime(stage, run, subject) : run(subject);
  if (!explain || !(running instanceof Promise)) return running;
  return running.catch((error: unknown) => {
    throw explain(error, subject);
  });
}

/** Phrases of stages in messages, after "while". In those of `api`, a page waits for something of ours. */
const PHRASES: Readonly<Partial<Record<StageName, readonly [phrase: string, source: ErrorSource]>>> = {
  browser: ['waiting for a browser', 'api'],
  prepare: ['preparing the browser', 'api'],
  load: ['loading the page', 'target'],
  settle: ['waiting for the page to settle', 'target'],
  check: ["waiting for the site's check to finish", 'target'],
  overlays: ['dismissing the overlays', 'target'],
  actions: ['doing the actions', 'target'],
  snapshot: ['reading the rendered page', 'target'],
  screenshot: ['taking the screenshot', 'target'],
  queue: ['extracting the data', 'target'],
};

/** Runs a stage for as long as there is time. */
async function runInTime<Subject extends Timed>(
  stage: StageName,
  run: Work<Subject>,
  subject: Subject,
): Promise<Ending | undefined> {
  const { clock, signal, leavesStages } = subject;
  clock.enter(stage);
  const [phrase, source] = PHRASES[stage] ?? [];
  const running = Promise.resolve(run(subject));
  if (phrase === undefined) return (await running) || undefined;
  const inTime = leavesStages ? untilAborted(running, signal) : running;
  return (await inStage(phrase, signal, inTime, source)) || undefined;
}

/** Awaits the work of a stage; when the deadline passes in it, the TIMEOUT names the stage. */
export async function inStage<Result>(
  phrase: string,
  signal: AbortSignal,
  work: Promise<Result>,
  source: ErrorSource = 'target',
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const isTimeout = error === signal.reason && error instanceof AppError && error.code === 'TIMEOUT';
    if (!isTimeout) throw error;
    throw new AppError('TIMEOUT', { source, message: `The time ran out while ${phrase}.`, cause: error });
  }
}

/** Awaits the reading of a page; an error that the page itself caused carries the page's status. */
export async function withStatus<Result>(
  statusCode: number | undefined,
  reading: Promise<Result>,
): Promise<Result> {
  try {
    return await reading;
  } catch (error) {
    const isOfPage = error instanceof AppError && error.source === 'target' && error.code !== 'TIMEOUT';
    if (!isOfPage || statusCode === undefined || error.targetStatusCode !== undefined) throw error;
    throw copyWithStatus(error, statusCode);
  }
}

/** Copies an error with its class and its cause, by which callers tell errors apart. */
function copyWithStatus(error: AppError, statusCode: number): AppError {
  const status = { value: statusCode, enumerable: true, writable: true, configurable: true };
  const fields = { ...Object.getOwnPropertyDescriptors(error), targetStatusCode: status };
  return Object.create(Object.getPrototypeOf(error), fields);
}
