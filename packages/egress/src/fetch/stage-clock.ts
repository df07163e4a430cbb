/** The stages that a fetch goes through; a redirect or a retry starts over. */
export type Stage = 'dns' | 'connect' | 'proxy' | 'tls' | 'waiting' | 'body' | 'backoff';

/** What each stage is called in a message, after "while". */
const STAGE_PHRASES: Readonly<Record<Stage, string>> = {
  dns: 'resolving the host name',
  connect: 'connecting',
  proxy: 'waiting for the proxy to connect',
  tls: 'negotiating TLS',
  waiting: 'waiting for the first byte of the answer',
  body: 'reading the body',
  backoff: 'waiting before another attempt',
};

/** What may help a caller whose time ran out in a stage; where only time does, that is said for the code. */
const STAGE_ADVICE: Readonly<Partial<Record<Stage, string>>> = {
  connect:
    'Check the host and the port: nothing there takes the connection. Or raise timeout (at most 120000 ms).',
  tls: 'Check the scheme and the port: what listens there may not speak TLS. Or raise timeout (at most 120000 ms).',
  waiting:
    'The site took the request and has not answered: see whether the page opens in a browser, or raise timeout (at most 120000 ms).',
  body: 'The site sends slowly, or never ends: raise timeout (at most 120000 ms), or scrape another address of the content.',
};

/** Milliseconds spent in each stage, all hops and attempts together, and in total. */
export type Timings = Readonly<Partial<Record<Stage, number>>> & { readonly totalMs: number };

/** Knows which stage a fetch is in, and how long each took. */
export interface StageClock {
  enter(stage: Stage): void;
  /** What the fetch is doing, as a phrase that follows "while". */
  phrase(): string;
  /** What may help where the time runs out now, if it is of this stage. */
  advice(): string | undefined;
  timings(): Timings;
}

/** Starts the clock; `now` gives milliseconds of a monotonic clock. */
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
