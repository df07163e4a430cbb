import type { ServerResponse } from 'node:http';
import { freePort } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { Gleaner, type WatchOptions } from '../src/index.ts';
import { jobOf, startService } from './support/start-service.ts';

const QUICK: WatchOptions = { pollMs: 5, firstEventMs: 5000, silenceMs: 1000, reconnectMs: 300 };

function sendEvents(response: ServerResponse, ...jobs: ReturnType<typeof jobOf>[]): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const job of jobs) {
    const name = job.status === 'running' ? 'progress' : 'end';
    response.write(
      `event: ${name}\nid: ${job.completedUrls}\ndata: ${JSON.stringify(job)}\n\n: heartbeat\n\n`,
    );
  }
}

describe('a watched job', () => {
  it('goes on when the service comes back', async () => {
    const port = await freePort();
    const first = await startService((response) => sendEvents(response, jobOf('running', 1)), port);
    const job = new Gleaner({ url: first.url }).jobs.watch('job_1', { ...QUICK, reconnectMs: 30_000 });
    expect(await job.next()).toMatchObject({ value: { completedUrls: 1 } });
    await first[Symbol.asyncDispose]();
    const next = job.next();
    await using _second = await startService(
      (response) => sendEvents(response, jobOf('completed', 10)),
      port,
    );
    expect(await next).toMatchObject({ value: { status: 'completed' } });
    expect(await job.next()).toEqual({ done: true, value: undefined });
  });

  it('is left when the signal aborts', async () => {
    const controller = new AbortController();
    await using service = await startService((response) => sendEvents(response, jobOf('running', 1)));
    const job = new Gleaner({ url: service.url }).jobs.watch('job_1', {
      ...QUICK,
      signal: controller.signal,
    });
    await job.next();
    controller.abort(new Error('enough'));
    await expect(job.next()).rejects.toThrow('enough');
  });
});
