import { describe, expect, it } from '@jest/globals';
import { createLogger, type Logger } from '../logger/create-logger.ts';
import { repeatAtIntervals } from './repeat-at-intervals.ts';

function startRepeating(work: (signal: AbortSignal) => Promise<void>, intervalMs = 1) {
  const lines: string[] = [];
  const stream = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ service: 'test', level: 'warn', format: 'json', stream });
  return { lines, stop: repeatAtIntervals(work, { intervalMs, logger, onFailure: 'A round failed.' }) };
}

describe('repeatAtIntervals', () => {
  it('starts at once, and continues after a failed round, which it logs', async () => {
    let rounds = 0;
    const third = Promise.withResolvers<void>();
    const { lines, stop } = startRepeating(async () => {
      rounds += 1;
      if (rounds === 3) third.resolve();
      if (rounds === 1) throw new Error('the first');
    });
    expect(rounds).toBe(1);
    await third.promise;
    await stop();
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { msg: 'A round failed.', err: { message: 'the first' } },
    ]);
  });

  it('notes each round when it begins and when it ends, also a failed one', async () => {
    const heard: string[] = [];
    const ended = Promise.withResolvers<void>();
    const work = async () => {
      heard.push('work');
      throw new Error('failed');
    };
    const stop = repeatAtIntervals(work, {
      intervalMs: 60_000,
      logger: { warn: () => ended.resolve() } as unknown as Logger,
      onFailure: 'A round failed.',
      noteRound: () => heard.push('note'),
    });
    await ended.promise;
    await stop();
    expect(heard).toEqual(['note', 'work', 'note']);
  });

  it('does not start a round while another is in progress, and stops after it', async () => {
    const round = Promise.withResolvers<void>();
    let rounds = 0;
    const { stop } = startRepeating(() => {
      rounds += 1;
      return round.promise;
    });
    let isStopped = false;
    const stopped = stop().then(() => {
      isStopped = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([rounds, isStopped]).toEqual([1, false]);
    round.resolve();
    await stopped;
    expect(rounds).toBe(1);
  });

  it('ends a pause at once, and does not log a round that stopping interrupted', async () => {
    const { lines, stop } = startRepeating(
      (signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('cut short')))),
      1_000_000,
    );
    await stop();
    const pausing = startRepeating(async () => {}, 1_000_000);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await pausing.stop();
    expect(lines).toEqual([]);
  });
});
