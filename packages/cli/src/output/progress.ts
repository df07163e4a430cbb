import { type Job, progressOf } from '@gleaner/client';
import type { Terminal } from '../terminal.ts';
import { cut } from './render-table.ts';

/** State of a job at a time, as far as its progress goes. */
export type Progress = Pick<Job, 'status' | 'totalUrls' | 'completedUrls' | 'failedUrls' | 'crawl'>;

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
export class ProgressLine {
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
