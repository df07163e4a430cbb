import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { createLogger } from '../logger/create-logger.ts';
import { createMetrics } from './create-metrics.ts';
import { watchEventLoop } from './watch-event-loop.ts';

describe('watchEventLoop', () => {
  it('counts and logs a loop that was blocked', async () => {
    const { deps, lines } = observed();
    const endWatch = watchEventLoop({ ...deps, thresholdMs: 50 });
    blockEventLoop(800);
    while (lines.length === 0) await nextTurn();
    endWatch();
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn', blockedMs: expect.any(Number) });
    expect((await deps.metrics.render()).text).toMatch(
      /gleaner_event_loop_stalls_total\{service="test"\} [1-9]/,
    );
  });

  it('tells every service of the process', async () => {
    const [first, second] = [observed(), observed()];
    const endFirst = watchEventLoop({ ...first.deps, thresholdMs: 50 });
    const endSecond = watchEventLoop({ ...second.deps, thresholdMs: 50 });
    blockEventLoop(800);
    while (first.lines.length === 0) await nextTurn();
    expect(second.lines).toHaveLength(first.lines.length);
    endFirst();
    blockEventLoop(800);
    const before = second.lines.length;
    while (second.lines.length === before) await nextTurn();
    expect(first.lines).toHaveLength(before);
    endSecond();
  });

  it('ignores a loop that was blocked for less than the threshold', async () => {
    const { deps, lines } = observed();
    const endWatch = watchEventLoop({ ...deps, thresholdMs: 60_000 });
    blockEventLoop(300);
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    endWatch();
    expect(lines).toEqual([]);
    expect((await deps.metrics.render()).text).toContain('gleaner_event_loop_stalls_total{service="test"} 0');
  });
});

function observed() {
  const lines: string[] = [];
  const stream = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ service: 'test', level: 'info', format: 'json', stream });
  return { deps: { logger, metrics: createMetrics('test') }, lines };
}

function blockEventLoop(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}
