import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { createLogger, inBackground } from './create-logger.ts';

describe('inBackground', () => {
  it('logs the error of a promise that rejects', async () => {
    const { logger, lines } = capture();
    inBackground(Promise.reject(new Error('disk full')), logger, 'The cache was not written.');
    await nextTurn();
    expect(lines).toMatchObject([
      { level: 'error', msg: 'The cache was not written.', err: { message: 'disk full' } },
    ]);
  });

  it('logs nothing for a promise that resolves', async () => {
    const { logger, lines } = capture();
    inBackground(Promise.resolve(), logger);
    await nextTurn();
    expect(lines).toEqual([]);
  });
});

function capture() {
  const lines: unknown[] = [];
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) };
  return { logger: createLogger({ service: 'test', level: 'info', format: 'json', stream }), lines };
}
