import { type Gleaner, GleanerError, type Job, progressOf } from '@gleaner/client';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { EXIT_CODES, type Exit } from '../../exit-codes.ts';
import type { Output } from '../../output/output.ts';
import { cut } from '../../output/render-table.ts';
import type { Terminal } from '../../terminal.ts';
import { fieldsOfJob, suspectsOf } from './columns.ts';

/** Exit of a command whose job has finished in this state. */
const EXITS: Readonly<Record<Job['status'], Exit>> = {
  pending: 'ok',
  running: 'ok',
  completed: 'ok',
  partial: 'partial',
  failed: 'failed',
  cancelled: 'failed',
};

/** Collaborators of a watch. */
export interface Follow {
  readonly cli: Cli;
  readonly gleaner: Gleaner;
  readonly output: Output;
  readonly flags: GlobalOptions;
}

/** Follows a job until it has finished, and shows it: a line on a terminal, each state on a pipe. */
export async function followJob(id: string, follow: Follow): Promise<void> {
  const { output } = follow;
  const isStream = output.format === 'ndjson';
  const last = await waitForJob(id, follow, async (job) => {
    if (isStream) await output.json(job);
  });
  if (!last || isStream) return;
  await output.one(last, fieldsOfJob(last));
  const failed = last.failedUrls > 0 ? `\nFailed:  gleaner job results ${id} --failed` : '';
  const kinds = suspectsOf(last.verdicts).join(',');
  const suspects = kinds && `\nSuspect: gleaner job results ${id} --verdict ${kinds}`;
  await output.note(`\nResults: gleaner job results ${id}${failed}${suspects}`);
}

/** Waits until a job has finished, with a line of progress, and sets the exit code. Ctrl-C leaves the job running. */
export async function waitForJob(
  id: string,
  { cli, gleaner, flags }: Omit<Follow, 'output'>,
  onState: (job: Job) => Promise<void> = async () => {},
): Promise<Job | undefined> {
  cli.comeBack = [
    `The job goes on. Come back with: gleaner job watch ${id}`,
    `                      Stop it with: gleaner job cancel ${id}`,
  ].join('\n');
  const line = new ProgressLine(cli.terminal, flags.quiet);
  let last: Job | undefined;
  try {
    const onAway = () => line.showAway();
    for await (const job of gleaner.jobs.watch(id, { signal: cli.signal, onAway })) {
      last = job;
      line.show(job);
      await onState(job);
    }
  } catch (error) {
    if (error instanceof GleanerError && error.status === 404) cli.comeBack = undefined;
    throw error;
  } finally {
    line.clear();
  }
  cli.comeBack = undefined;
  if (last) cli.exit = EXIT_CODES[EXITS[last.status]].code;
  return last;
}

/** State of a job at a time, as far as its progress goes. */
type Progress = Pick<Job, 'status' | 'totalUrls' | 'completedUrls' | 'failedUrls' | 'crawl'>;

interface Sample {
  readonly atMs: number;
  readonly done: number;
}

/** The rate is that of the last seconds. */
const WINDOW_MS = 10_000;
const DEFAULT_COLUMNS = 80;
const ERASE_LINE = '\r\u001b[K';

const AWAY = 'the service does not answer, trying again';

/** A line on the error stream that shows how far a job is. It is there only on a terminal. */
class ProgressLine {
  readonly #terminal: Terminal;
  readonly #isShown: boolean;
  readonly #isQuiet: boolean;
  #samples: Sample[] = [];
  #text = '';

  constructor(terminal: Terminal, isQuiet: boolean | undefined) {
    this.#terminal = terminal;
    this.#isQuiet = isQuiet === true;
    this.#isShown = terminal.stderr.isTTY === true && !isQuiet;
  }

  /** Shows the progress instead of what was shown before. */
  show(progress: Progress, nowMs = performance.now()): void {
    if (!this.#isShown) return;
    this.#samples = [
      ...this.#samples.filter(({ atMs }) => nowMs - atMs < WINDOW_MS),
      { atMs: nowMs, done: progressOf(progress).done },
    ];
    this.#draw(renderProgress(progress, this.#samples));
  }

  /** Says that the service does not answer: behind the progress, or once on a stream that is not a terminal. */
  showAway(): void {
    this.#samples = [];
    if (this.#isShown) this.#draw([this.#text, AWAY].filter(Boolean).join(' · '));
    else if (!this.#isQuiet) this.#terminal.warn(`gleaner: ${AWAY}\n`);
  }

  /** Removes the line. */
  clear(): void {
    if (this.#text) this.#terminal.warn('', ERASE_LINE);
    this.#text = '';
  }

  /** A line that is wider than the terminal could not be erased. */
  #draw(text: string): void {
    this.#text = text;
    const columns = this.#terminal.stderr.columns ?? DEFAULT_COLUMNS;
    this.#terminal.warn(cut(text, columns - 1), ERASE_LINE);
  }
}

/** Renders `1,204/10,000 · 212/s · 3 failed · 00:41 left`; no one knows how long a crawl takes that still finds pages. */
export function renderProgress(progress: Progress, samples: readonly Sample[]): string {
  const { status, failedUrls, crawl } = progress;
  const { done, total } = progressOf(progress);
  const rate = rateOf(samples);
  const left = total - done;
  return [
    `${count(done)}/${count(total)}`,
    ...(rate > 0 ? [`${rate < 10 ? rate.toFixed(1) : count(Math.round(rate))}/s`] : [status]),
    ...(failedUrls > 0 ? [`${count(failedUrls)} failed`] : []),
    ...(crawl ? [`depth ${crawl.depth}`] : []),
    ...(rate > 0 && left > 0 && !crawl ? [`${clock(left / rate)} left`] : []),
  ].join(' · ');
}

function rateOf(samples: readonly Sample[]): number {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.atMs === first.atMs) return 0;
  return ((last.done - first.done) * 1000) / (last.atMs - first.atMs);
}

function clock(seconds: number): string {
  const whole = Math.ceil(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part) => String(part).padStart(2, '0')).join(':');
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
