import type { Trace } from '@gleaner/client';

type StageTimes = NonNullable<Trace['attempts'][number]['stages']>;

/** A stage of an attempt. */
export interface Stage {
  readonly name: keyof StageTimes;
  readonly label: string;
  readonly ms: number;
  /** Part of the time of all stages, from 0 to 1. */
  readonly share: number;
}

/** Names of the stages, in the order in which they usually come. */
const LABELS: Readonly<Record<keyof StageTimes, string>> = {
  browser: 'free browser',
  prepare: 'tab',
  load: 'page load',
  dns: 'DNS',
  connect: 'connection',
  proxy: 'proxy',
  tls: 'TLS',
  firstByte: 'first byte',
  body: 'body',
  backoff: 'pause',
  settle: 'settling',
  check: "site's check",
  overlays: 'overlays',
  actions: 'actions',
  waitFor: 'wait for',
  snapshot: 'snapshot',
  screenshot: 'screenshot',
  queue: 'turn to read',
  parse: 'parse',
  extract: 'extract',
  calibrate: 'comparison',
  model: 'model',
};

/** Returns the stages of an attempt in their usual order, with their shares of the time. */
export function stagesOf(stages: StageTimes): Stage[] {
  const names = Object.keys(LABELS) as (keyof StageTimes)[];
  const known = names.flatMap((name) => {
    const ms = stages[name];
    return ms === undefined ? [] : [{ name, label: LABELS[name], ms }];
  });
  const total = known.reduce((sum, { ms }) => sum + ms, 0);
  return known.map((stage) => ({ ...stage, share: total > 0 ? stage.ms / total : 0 }));
}
