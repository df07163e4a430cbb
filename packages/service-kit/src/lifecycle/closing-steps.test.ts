import { describe, expect, it } from '@jest/globals';
import { createLogger } from '../logger/create-logger.ts';
import { ClosingSteps } from './closing-steps.ts';

describe('ClosingSteps', () => {
  it('closes the last opened first, one after the other', async () => {
    const { closing } = newSteps();
    const closed: string[] = [];
    for (const name of ['database', 'broker', 'work']) {
      closing.add({
        name,
        close: async () => {
          closed.push(`${name} begins`);
          await Promise.resolve();
          closed.push(`${name} ends`);
        },
      });
    }
    expect(await closing.run()).toBe(true);
    expect(closed).toEqual([
      'work begins',
      'work ends',
      'broker begins',
      'broker ends',
      'database begins',
      'database ends',
    ]);
  });

  it('continues after a step that fails or hangs, logs both, and returns false', async () => {
    const { closing, lines } = newSteps();
    let isClosed = false;
    closing.add({
      name: 'the first',
      close: () => {
        isClosed = true;
      },
    });
    closing.add({
      name: 'the failing',
      close: () => {
        throw new Error('boom');
      },
    });
    closing.add({ name: 'the stuck', close: () => new Promise(() => {}), timeoutMs: 20 });
    expect(await closing.run()).toBe(false);
    expect(isClosed).toBe(true);
    expect(lines[0]).toContain('the stuck did not close within 20 ms and is abandoned');
    expect(lines[1]).toContain('the failing failed to close');
    expect(lines[1]).toContain('boom');
  });

  it('aborts the signal of a step at its time limit', async () => {
    const { closing } = newSteps();
    let reason: unknown;
    const close = (signal: AbortSignal) =>
      new Promise<void>((done) => {
        signal.addEventListener('abort', () => {
          reason = signal.reason;
          done();
        });
      });
    closing.add({ name: 'the slow', close, timeoutMs: 20 });
    await closing.run();
    expect(reason).toMatchObject({ name: 'TimeoutError' });
  });
});

function newSteps() {
  const lines: string[] = [];
  const stream = { write: (line: string) => void lines.push(line) };
  const closing = new ClosingSteps(createLogger({ service: 'test', level: 'info', format: 'json', stream }));
  return { closing, lines };
}
