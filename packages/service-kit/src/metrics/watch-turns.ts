import type { Logger } from '../logger/create-logger.ts';
import type { Metrics } from './create-metrics.ts';
import { RecentMaxima } from './recent-maxima.ts';
import { onTick } from './ticks.ts';

/** Collaborators of the watch. */
export interface TurnWatchDeps {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** CPU time from which a turn is logged. */
  readonly warnMs?: number;
  /** Time without work until the watch rests; 250 ms unless given. */
  readonly restMs?: number;
}

/** Interval of the measurements while there is work: about the error of a measured time. */
const SAMPLE_MS = 50;
/** Time without work until the watch rests, so that an idle process stays idle. */
const REST_MS = 250;
const WARN_MS = 250;
/** Most kinds of work that a log line names. */
const MAX_NAMES = 10;

/** Name of turns with several kinds of work, and of turns without any. */
const SEVERAL = 'several';
const BACKGROUND = 'background';

/**
 * Measures the turns of the event loop in CPU time of its thread, without that of other processes, and names the work of the
 * longest one. Callers name their work where it begins and ends: `note` costs a call and an entry of a set.
 */
export class TurnWatch {
  readonly #deps: TurnWatchDeps;
  readonly #longest = new RecentMaxima();
  /** Work noted since the last measurement, and the latest work before it. */
  #noted = new Set<string>();
  #lately = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #endRest: (() => void) | undefined;
  #measuredMs = 0;
  #isClosed = false;
  #lastWorkMs = 0;

  constructor(deps: TurnWatchDeps) {
    this.#deps = deps;
    const longest = this.#longest;
    deps.metrics.gauge({
      name: 'longest_turn_seconds',
      help: 'CPU time of the longest turn of the event loop within the last minute, by the work that went on in it: a route or a queue, several, or background.',
      labelNames: ['work'],
      collect() {
        for (const [work, seconds] of longest.read()) this.set({ work }, seconds);
      },
    });
  }

  /** Notes that work of this name has begun or ended in this turn; there must be few names. */
  note(work: string): void {
    this.#noted.add(work);
    if (this.#timer === undefined && !this.#isClosed) this.#begin();
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#endRest?.();
  }

  #begin(): void {
    // Work that is noted only when it ends has computed since the last tick of the rest.
    if (this.#endRest) this.#endRest();
    else this.#measuredMs = cpuMs();
    this.#endRest = undefined;
    this.#lastWorkMs = performance.now();
    this.#timer = setInterval(() => this.#measure(), SAMPLE_MS);
    this.#timer.unref();
  }

  /** Returns the CPU time since the last call, in milliseconds. */
  #takeCpuMs(): number {
    const beforeMs = this.#measuredMs;
    this.#measuredMs = cpuMs();
    return this.#measuredMs - beforeMs;
  }

  #measure(): void {
    const turnMs = this.#takeCpuMs();
    if (turnMs >= SAMPLE_MS) this.#report(turnMs);
    if (this.#noted.size === 0) {
      const { restMs = REST_MS } = this.#deps;
      if (performance.now() - this.#lastWorkMs > restMs) this.#rest();
      return;
    }
    this.#lastWorkMs = performance.now();
    [this.#lately, this.#noted] = [this.#noted, this.#lately];
    this.#noted.clear();
  }

  #report(turnMs: number): void {
    const names = [...(this.#noted.size > 0 ? this.#noted : this.#lately)];
    const work = names.length > 1 ? SEVERAL : (names[0] ?? BACKGROUND);
    const isLonger = this.#longest.note(work, turnMs / 1000);
    const { logger, warnMs = WARN_MS } = this.#deps;
    if (turnMs < warnMs || !isLonger) return;
    const noted = names.slice(0, MAX_NAMES);
    logger.warn({ turnMs: Math.round(turnMs), work: noted }, 'A turn of the event loop computed for long.');
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#lately.clear();
    this.#endRest = onTick((delayMs) => {
      const computedMs = this.#takeCpuMs();
      // Several short turns fit between two ticks; only a long one delays a tick.
      if (delayMs >= SAMPLE_MS && computedMs >= SAMPLE_MS) this.#report(computedMs);
    });
  }
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
