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

/** Milliseconds spent in each stage, all hops and attempts together, and in total. */
export type Timings = Readonly<Partial<Record<Stage, number>>> & { readonly totalMs: number };

/** Knows which stage a fetch is in, and how long each took. */
export interface StageClock {
  enter(stage: Stage): void;
  /** What the fetch is doing, as a phrase that follows "while". */
  phrase(): string;
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
    timings() {
      closeStage();
      return { ...spent, totalMs: Math.round(now() - startedAt) };
    },
  };
}
