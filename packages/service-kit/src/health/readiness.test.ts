import { describe, expect, it } from '@jest/globals';
import { Readiness } from './readiness.ts';

describe('Readiness', () => {
  it('is not ready before it runs or while it drains, even when every check passes', async () => {
    const readiness = new Readiness();
    readiness.add({ database: () => {} });
    expect((await readiness.report()).status).toBe('starting');
    readiness.phase = 'running';
    expect((await readiness.report()).status).toBe('ready');
    readiness.phase = 'draining';
    expect((await readiness.report()).status).toBe('draining');
  });

  it('names each check, and the reason of the one that fails, without secrets', async () => {
    const readiness = running({
      database: async () => {},
      broker: () => {
        throw new Error('no answer from amqp://guest:s3cr3t@127.0.0.1');
      },
    });
    expect(await readiness.report()).toEqual({
      status: 'not ready',
      checks: {
        database: { ok: true, durationMs: expect.any(Number) },
        broker: {
          ok: false,
          reason: 'no answer from amqp://[redacted]@127.0.0.1',
          durationMs: expect.any(Number),
        },
      },
    });
  });

  it('treats a check that hangs as failed, and aborts its signal', async () => {
    let isAborted = false;
    const readiness = running({
      stuck: (signal) => {
        signal.addEventListener('abort', () => {
          isAborted = true;
        });
        return new Promise(() => {});
      },
    });
    const { status, checks } = await readiness.report();
    expect(status).toBe('not ready');
    expect(checks.stuck?.reason).toBe('no response within 2000 ms');
    expect(isAborted).toBe(true);
  });

  it('runs its checks once for concurrent callers', async () => {
    let runs = 0;
    const readiness = running({ counted: () => void runs++ });
    await Promise.all(Array.from({ length: 50 }, () => readiness.report()));
    expect(runs).toBe(1);
    await readiness.report();
    expect(runs).toBe(2);
  });
});

function running(checks: Parameters<Readiness['add']>[0]): Readiness {
  const readiness = new Readiness();
  readiness.add(checks);
  readiness.phase = 'running';
  return readiness;
}
