import type { StageName, StageTimes } from '@gleaner/contracts';

/** Names of the stages in messages, after "while". */
const STAGE_PHRASES: Readonly<Partial<Record<StageName, string>>> = {
  dns: 'resolving the host name',
  connect: 'connecting',
  proxy: 'waiting for the proxy to connect',
  tls: 'negotiating TLS',
  firstByte: 'waiting for the first byte of the response',
  body: 'reading the body',
  backoff: 'waiting before another attempt',
};

/** Suggestions for a timeout in a stage; the other stages use the suggestion of the code. */
const STAGE_ADVICE: Readonly<Partial<Record<StageName, string>>> = {
  connect:
    'Check the host and the port: nothing accepts the connection. Or raise timeout (at most 120000 ms).',
  tls: 'Check the scheme and the port: the service there may not speak TLS. Or raise timeout (at most 120000 ms).',
  firstByte:
    'The site accepted the request and has not responded: check that the page opens in a browser, or raise timeout (at most 120000 ms).',
  body: 'The site sends slowly or without end: raise timeout (at most 120000 ms), or scrape another URL of the content.',
};

/** Milliseconds spent in each stage, all hops and attempts together, and in total. */
export type Timings = Readonly<StageTimes> & { readonly totalMs: number };

/** Records the current stage of a fetch and the time spent in each. */
export interface StageClock {
  enter(stage: StageName): void;
  /** Counts milliseconds of the current stage as those of another one. */
  move(stage: StageName, ms: number): void;
  /** Returns the current stage as a phrase that follows "while". */
  phrase(): string;
  /** Returns a suggestion for a timeout in the current stage, if it has one. */
  advice(): string | undefined;
  timings(): Timings;
}

/** Starts the clock; `now` returns milliseconds of a monotonic clock. */
export function startStageClock(now: () => number = () => performance.now()): StageClock {
  const startedAt = now();
  const spent: Partial<Record<StageName, number>> = {};
  let current: StageName | undefined;
  let enteredAt = startedAt;

  function closeStage(): void {
    const at = now();
    if (current) spent[current] = (spent[current] ?? 0) + at - enteredAt;
    enteredAt = at;
  }

  return {
    enter(stage) {
      closeStage();
      current = stage;
    },
    move(stage, ms) {
      if (current) spent[current] = (spent[current] ?? 0) - ms;
      spent[stage] = (spent[stage] ?? 0) + ms;
    },
    phrase: () => (current && STAGE_PHRASES[current]) ?? 'starting',
    advice: () => current && STAGE_ADVICE[current],
    timings() {
      closeStage();
      const timings: StageTimes & { totalMs: number } = { totalMs: Math.round(enteredAt - startedAt) };
      for (const stage in spent) timings[stage as StageName] = roundToTenth(spent[stage as StageName]);
      return timings;
    },
  };
}

function roundToTenth(ms = 0): number {
  return Math.max(0, Math.round(ms * 10) / 10);
}
