import type { InstanceFacts } from '@gleaner/contracts';
import type { Counter, Metrics } from '@gleaner/service-kit';
import type { BrowserEnd, BrowserPool, BrowserState } from './browser-pool.ts';

const MEBIBYTE = 1_048_576;

/** Counts ended browsers; every reason is shown from the start, so that rates see its first time. */
export function createBrowserCounter(metrics: Metrics): Counter<'reason'> {
  const ended = metrics.counter({
    name: 'browsers_ended_total',
    help: 'Browsers that have ended, by reason: uses, memory, idle, stuck, crashed or shutdown.',
    labelNames: ['reason'],
  });
  const reasons: BrowserEnd[] = ['uses', 'memory', 'idle', 'stuck', 'crashed', 'shutdown'];
  for (const reason of reasons) ended.inc({ reason }, 0);
  return ended;
}

/** Returns the browsers that run, as the heartbeat of the scraper tells of them. */
export function describeBrowsers(pool: Pick<BrowserPool, 'states'>): NonNullable<InstanceFacts['browsers']> {
  return pool.states().map(({ kind, version, activeTabs, megabytes }) => ({
    kind,
    version,
    tabs: activeTabs,
    memoryBytes: Math.round(megabytes * MEBIBYTE),
  }));
}

/** Declares the gauges of the browsers that run. */
export function declareBrowserGauges(metrics: Metrics, pool: Pick<BrowserPool, 'states'>): void {
  const gauge = (name: string, help: string, read: (state: BrowserState) => number) =>
    metrics.gauge({
      name,
      help,
      collect() {
        this.set(pool.states().reduce((sum, state) => sum + read(state), 0));
      },
    });
  gauge('browsers', 'Browsers that run.', () => 1);
  gauge('browser_tabs', 'Tabs that pages are rendered in.', ({ activeTabs }) => activeTabs);
  gauge(
    'browser_memory_bytes',
    'Anonymous memory of all processes of the browsers, as last measured while a tab was in use.',
    ({ megabytes }) => megabytes * MEBIBYTE,
  );
}
