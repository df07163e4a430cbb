/** Limits on the load of one host. */
export interface PaceRules {
  readonly maxPagesPerHost: number;
  readonly hostDelayMs: number;
  readonly maxPauseMs: number;
}

interface Pace {
  runningPages: number;
  nextStartMs: number;
  pausedUntilMs: number;
}

/** Tracks when each host may be asked for another page. */
export class HostPaces {
  readonly #rules: PaceRules;
  readonly #paces = new Map<string, Pace>();

  constructor(rules: PaceRules) {
    this.#rules = rules;
  }

  /** Returns when the host may be asked next, in milliseconds since 1970; undefined while its pages in flight are at their limit. */
  readyAtMs(host: string): number | undefined {
    const pace = this.#paces.get(host);
    if (!pace) return 0;
    if (pace.runningPages >= this.#rules.maxPagesPerHost) return undefined;
    return Math.max(pace.nextStartMs, pace.pausedUntilMs);
  }

  /** Returns the number of pages of the host that may start now. */
  roomOf(host: string, nowMs: number): number {
    const readyAtMs = this.readyAtMs(host);
    if (readyAtMs === undefined || readyAtMs > nowMs) return 0;
    if (this.#rules.hostDelayMs > 0) return 1;
    return this.#rules.maxPagesPerHost - (this.#paces.get(host)?.runningPages ?? 0);
  }

  /** Notes that a page of the host is dispatched now. */
  start(host: string, nowMs: number): void {
    const pace = this.#paceOf(host);
    pace.runningPages += 1;
    pace.nextStartMs = nowMs + this.#rules.hostDelayMs;
  }

  /** Sets the number of pages in flight of each host; forgets idle hosts. */
  recount(running: ReadonlyMap<string, number>, nowMs: number): void {
    for (const [host, pace] of this.#paces) {
      pace.runningPages = running.get(host) ?? 0;
      if (pace.runningPages === 0 && this.#isIdle(pace, nowMs)) this.#paces.delete(host);
    }
    for (const [host, count] of running) this.#paceOf(host).runningPages = count;
  }

  /** Notes that a page of the host is no longer in flight. */
  end(host: string): void {
    const pace = this.#paces.get(host);
    if (pace) pace.runningPages = Math.max(0, pace.runningPages - 1);
  }

  /** Pauses the host until then, at most as long as the rules allow. */
  pause(host: string, untilMs: number, nowMs: number): void {
    const pace = this.#paceOf(host);
    pace.pausedUntilMs = Math.max(pace.pausedUntilMs, Math.min(untilMs, nowMs + this.#rules.maxPauseMs));
  }

  /** Returns the hosts whose pause lasts beyond this moment. */
  pausedHosts(nowMs: number): string[] {
    return [...this.#paces].filter(([, { pausedUntilMs }]) => pausedUntilMs > nowMs).map(([host]) => host);
  }

  #isIdle({ nextStartMs, pausedUntilMs }: Pace, nowMs: number): boolean {
    return nextStartMs <= nowMs && pausedUntilMs <= nowMs;
  }

  #paceOf(host: string): Pace {
    const known = this.#paces.get(host);
    if (known) return known;
    const fresh = { runningPages: 0, nextStartMs: 0, pausedUntilMs: 0 };
    this.#paces.set(host, fresh);
    return fresh;
  }
}
