import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '@gleaner/test-kit';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '../logger/create-logger.ts';
import { createMetrics } from './create-metrics.ts';
import { TurnWatch } from './watch-turns.ts';

let turns: TurnWatch | undefined;
afterEach(() => turns?.close());

/** Starts a watch, and returns what it logs and the value of its metric by work. */
function watch({ restMs = 600_000 } = {}) {
  const lines: string[] = [];
  const stream = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ service: 'test', level: 'warn', format: 'json', stream });
  const metrics = createMetrics('test');
  turns = new TurnWatch({ logger, metrics, warnMs: 200, restMs });
  const secondsOf = async (work: string) => {
    const { text } = await metrics.render();
    return Number(new RegExp(`longest_turn_seconds\\{work="${work}",service="test"\\} (.*)`).exec(text)?.[1]);
  };
  return { turns, lines, secondsOf };
}

/** Computes until the thread has used so much CPU time, however busy the machine is. */
function compute(ms: number): void {
  const startUs = process.threadCpuUsage().user;
  while (process.threadCpuUsage().user - startUs < ms * 1000);
}

/** Waits in steps: after a pause of the process, the watch needs some turns of its timer to rest. */
async function untilRest(): Promise<void> {
  for (let step = 0; step < 20; step++) await wait(60);
}

describe('TurnWatch', () => {
  it('measures the CPU time of a long turn and logs it with the name of its work', async () => {
    const { turns: watched, lines, secondsOf } = watch();
    watched.note('pages.results');
    compute(300);
    await eventually(async () => expect(await secondsOf('pages.results')).toBeGreaterThanOrEqual(0.3));
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: 'warn', turnMs: expect.any(Number), work: ['pages.results'] }),
    ]);
  });

  it('names the work that was noted last where a turn itself notes none', async () => {
    const { turns: watched, secondsOf } = watch();
    watched.note('createJob');
    await wait(100);
    compute(100);
    await eventually(async () => expect(await secondsOf('createJob')).toBeGreaterThanOrEqual(0.1));
  });

  it('lists several kinds of work in one turn', async () => {
    const { turns: watched, lines, secondsOf } = watch();
    watched.note('scrape');
    watched.note('createJob');
    compute(300);
    await eventually(async () => expect(await secondsOf('several')).toBeGreaterThanOrEqual(0.3));
    expect(JSON.parse(lines[0] ?? '').work).toEqual(['scrape', 'createJob']);
  });

  it('measures work that is noted only at its end, after a rest', async () => {
    const { turns: watched, secondsOf } = watch({ restMs: 1 });
    watched.note('reconcile');
    await untilRest();
    compute(300);
    watched.note('createJob');
    await eventually(async () => expect(await secondsOf('createJob')).toBeGreaterThanOrEqual(0.3));
  });

  it('measures a turn without any work that is longer than half a second', async () => {
    const { turns: watched, secondsOf } = watch({ restMs: 1 });
    watched.note('reconcile');
    await untilRest();
    compute(700);
    await eventually(async () => expect(await secondsOf('background')).toBeGreaterThanOrEqual(0.7));
  });

  it('has nothing to say about short turns', async () => {
    const { turns: watched, lines } = watch();
    watched.note('scrape');
    await wait(100);
    expect(lines).toEqual([]);
  });
});
