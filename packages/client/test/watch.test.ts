import type { ServerResponse } from 'node:http';
import { freePort } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { Gleaner, type GleanerError, type WatchOptions } from '../src/index.ts';
import { type Answer, jobOf, sendError, sendJson, startService } from './support/start-service.ts';

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

function answer(events: (response: ServerResponse, count: number) => void, polled: () => object): Answer {
  let streams = 0;
  return (response, { path }) => {
    if (path.endsWith('/events')) return events(response, streams++);
    const resultsPagination = { limit: 0, offset: 0, total: 0, hasMore: false };
    sendJson(response, 200, {
      success: true,
      job: { ...polled(), options: {}, results: [], resultsPagination },
    });
  };
}

async function watch(url: string, options: WatchOptions = QUICK): Promise<string[]> {
  const seen: string[] = [];
  for await (const { status, completedUrls } of new Gleaner({ url }).jobs.watch('job_1', options)) {
    seen.push(`${status} ${completedUrls}`);
  }
  return seen;
}

describe('a watched job', () => {
  it('is yielded at each change until it has finished', async () => {
    await using service = await startService(
      answer(
        (response) => {
          sendEvents(response, jobOf('running', 1), jobOf('running', 2), jobOf('completed', 10));
          response.end();
        },
        () => jobOf('completed', 10),
      ),
    );
    expect(await watch(service.url)).toEqual(['running 1', 'running 2', 'completed 10']);
    expect(service.received).toHaveLength(1);
  });

  it('is followed over connections that break, from the last event on, without a repetition', async () => {
    await using service = await startService(
      answer(
        (response, count) => {
          if (count === 0) sendEvents(response, jobOf('running', 1));
          else sendEvents(response, jobOf('running', 5), jobOf('partial', 10));
          setImmediate(() => response.destroy());
        },
        () => jobOf('running', 1),
      ),
    );
    expect(await watch(service.url)).toEqual(['running 1', 'running 5', 'partial 10']);
    const streams = service.received.filter(({ path }) => path.endsWith('/events'));
    expect(streams.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '1']);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['a proxy holds the events back', (response) => void response.writeHead(200).flushHeaders()],
    ['the key has too many streams open', (response) => sendError(response, 429, { code: 'RATE_LIMITED' })],
  ])('is polled where %s', async (_why, events) => {
    let polls = 0;
    const states = [jobOf('running', 1), jobOf('running', 1), jobOf('running', 2), jobOf('failed', 10)];
    await using service = await startService(answer(events, () => states[Math.min(polls++, 3)] ?? {}));
    const seen = await watch(service.url, { ...QUICK, firstEventMs: 100 });
    expect(seen).toEqual(['running 1', 'running 2', 'failed 10']);
  });

  it('goes on when the service comes back', async () => {
    const port = await freePort();
    const first = await startService(
      answer(
        (response) => sendEvents(response, jobOf('running', 1)),
        () => jobOf('running', 1),
      ),
      port,
    );
    const job = new Gleaner({ url: first.url }).jobs.watch('job_1', { ...QUICK, reconnectMs: 30_000 });
    expect(await job.next()).toMatchObject({ value: { completedUrls: 1 } });
    await first[Symbol.asyncDispose]();
    const next = job.next();
    await using _second = await startService(
      answer(
        (response) => sendEvents(response, jobOf('completed', 10)),
        () => jobOf('completed', 10),
      ),
      port,
    );
    expect(await next).toMatchObject({ value: { status: 'completed' } });
    expect(await job.next()).toEqual({ done: true, value: undefined });
  });

  it('says once that the service is away, and fails when it stays away', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const away: string[] = [];
    const onAway = ({ code }: GleanerError) => void away.push(code);
    await expect(watch(url, { ...QUICK, onAway })).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
    expect(away).toEqual(['CONNECTION_FAILED']);
  });

  it('fails at once when there is no such job', async () => {
    await using service = await startService((response) =>
      sendError(response, 404, { code: 'JOB_NOT_FOUND' }),
    );
    await expect(watch(service.url)).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
    expect(service.received).toHaveLength(1);
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

  it('is returned when it has finished', async () => {
    await using service = await startService((response) => sendEvents(response, jobOf('completed', 10)));
    expect(await new Gleaner({ url: service.url }).jobs.wait('job_1')).toMatchObject({ status: 'completed' });
  });
});
