/** The stages of a fetch; a redirect or a retry starts again. */
export type Stage = 'dns' | 'connect' | 'proxy' | 'tls' | 'waiting' | 'body' | 'backoff';

/** Names of the stages in messages, after "while". */
const STAGE_PHRASES: Readonly<Record<Stage, string>> = {
  dns: 'resolving the host name',
  connect: 'connecting',
  proxy: 'waiting for the proxy to connect',
  tls: 'negotiating TLS',
  waiting: 'waiting for the first byte of the response',
  body: 'reading the body',
  backoff: 'waiting before another attempt',
};

/** Suggestions for a timeout in a stage; the other stages use the suggestion of the code. */
const STAGE_ADVICE: Readonly<Partial<Record<Stage, string>>> = {
  connect:
    'Check the host and the port: nothing accepts the connection. Or raise timeout (at most 120000 ms).',
  tls: 'Check the scheme and the port: the service there may not speak TLS. Or raise timeout (at most 120000 ms).',
  waiting:
    'The site accepted the request and has not responded: check that the page opens in a browser, or raise timeout (at most 120000 ms).',
  body: 'The site sends slowly or without end: raise timeout (at most 120000 ms), or scrape another URL of the content.',
};

/** Milliseconds spent in each stage, all hops and attempts together, and in total. */
export type Timings = Readonly<Partial<Record<Stage, number>>> & { readonly totalMs: number };

/** Records the current stage of a fetch and the time spent in each. */
export interface StageClock {
  enter(stage: Stage): void;
  /** Returns the current stage as a phrase that follows "while". */
  phrase(): string;
  /** Returns a suggestion for a timeout in the current stage, if it has one. */
  advice(): string | undefined;
  timings(): Timings;
}

/** Starts the clock; `now` returns milliseconds of a monotonic clock. */
export function startStageClock(now: () => number = () => performance.now()): StageClock {
  const startedAt = now();
  const spent: Partial<Record<Stage, number>> = {};
  let current: Stage | undefined;
  let enteredAt = startedAt;

  function closeStage(): void {
    if (current) spent[current] = Math.round((spent[current] ?? 0) + now() - enteredAt);
    enteredAt = now();
  }

  return {
    enter(stage) {
      closeStage();
      current = stage;
    },
    phrase: () => (current ? STAGE_PHRASES[current] : 'starting'),
    advice: () => current && STAGE_ADVICE[current],
    timings() {
      closeStage();
      return { ...spent, totalMs: Math.round(now() - startedAt) };
    },
  };
}
