import { once } from 'node:events';
import { request } from 'node:http';
import { createLogger } from '@gleaner/service-kit';
import { eventually } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { JobEvents } from '../src/routes/jobs/job-events.ts';
import { call } from './support/call.ts';
import { seedJob } from './support/scripted-orchestrator.ts';
import { useGateway } from './support/use-gateway.ts';

const service = useGateway();

describe('GET /v1/jobs/:id/events', () => {
  const COMPLETED = { id: 'evt_1', type: 'job.completed', at: new Date() } as const;
  const CANCELLED = { id: 'evt_2', type: 'job.cancelled', at: new Date() } as const;

  async function follow(
    jobId: string,
    headers: Readonly<Record<string, string>> = {},
    key = service.owner.key,
  ) {
    const outgoing = request(`${service.gateway.url}/v1/jobs/${jobId}/events`, {
      headers: { authorization: `Bearer ${key}`, ...headers },
    });
    outgoing.on('error', () => {}).end();
    const [response] = await once(outgoing, 'response');
    const stream = { response, text: '', close: () => outgoing.destroy() };
    response
      .on('error', () => {})
      .setEncoding('utf8')
      .on('data', (chunk: string) => {
        stream.text += chunk;
      });
    return stream;
  }

  it('reports progress, and closes when the job has finished', async () => {
    const job = await seedJob(service.bed.stores, service.owner.accountId, ['waiting', 'waiting']);
    const stream = await follow(job.id);
    expect(stream.response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    const { jobs } = service.bed.stores;
    await eventually(() => expect(stream.text).toContain('"completedUrls":0'));
    await jobs.countEnded(job.id, { completedUrls: 1, failedUrls: 0, creditsUsed: 1 });
    await eventually(() => expect(stream.text).toContain('"completedUrls":1'));
    const change = {
      from: ['running'],
      to: 'completed',
      set: { completedUrls: 2, completedAt: new Date() },
      event: COMPLETED,
    } as const;
    const ended = once(stream.response, 'end');
    await jobs.transition(job.id, change);
    await ended;
    expect(stream.text.match(/^event: \w+$/gm)).toEqual(['event: progress', 'event: progress', 'event: end']);
    expect(stream.text.match(/^id: .+$/gm)).toEqual([
      'id: running-0-0-0',
      'id: running-1-0-1',
      'id: end-2-0-1',
    ]);
  });

  it('goes on after a cancellation until the counters are exact, also when they stay as they are', async () => {
    const { jobs, clock } = service.bed.stores;
    const { accountId } = service.owner;
    const job = await seedJob(service.bed.stores, accountId, ['waiting']);
    const stream = await follow(job.id);
    await eventually(() => expect(stream.text).toContain('id: running-0-0-0'));
    await jobs.cancel(accountId, job.id, clock.now());
    await eventually(() => expect(stream.text).toContain('id: cancelled-0-0-0'));
    const ended = once(stream.response, 'end');
    const set = { completedAt: clock.now() };
    await jobs.transition(job.id, { from: ['cancelled'], to: 'cancelled', set, event: CANCELLED });
    await ended;
    expect(stream.text.match(/^event: \w+$/gm)).toEqual(['event: progress', 'event: progress', 'event: end']);
    expect(stream.text.match(/^id: .+$/gm)?.at(-1)).toBe('id: end-0-0-0');
    const again = await follow(job.id, { 'Last-Event-ID': 'cancelled-0-0-0' });
    expect(again.response.statusCode).toBe(200);
    again.close();
  });

  it('does not repeat the state that Last-Event-ID names, and sends the next one', async () => {
    const job = await seedJob(service.bed.stores, service.owner.accountId, ['waiting', 'waiting']);
    const stream = await follow(job.id, { 'Last-Event-ID': 'running-0-0-0' });
    await service.bed.stores.jobs.countEnded(job.id, { completedUrls: 1, failedUrls: 0, creditsUsed: 1 });
    await eventually(() => expect(stream.text).toContain('id: running-1-0-1'));
    expect(stream.text).not.toContain('id: running-0-0-0');
    expect(stream.text).toMatch(/^: heartbeat\n/);
    stream.close();
  });

  it('answers 204 when Last-Event-ID names the end, so that clients stop reconnecting', async () => {
    const job = await seedJob(service.bed.stores, service.owner.accountId, [{ data: {} }]);
    const last = await follow(job.id, { 'Last-Event-ID': 'running-0-0-0' });
    await once(last.response, 'end');
    const [, id = ''] = /^id: (.+)$/m.exec(last.text) ?? [];
    expect((await follow(job.id, { 'Last-Event-ID': id })).response.statusCode).toBe(204);
  });

  it('limits the open streams of a key, and counts a stream until it is closed', async () => {
    const { key, accountId } = await service.bed.createKey();
    const small = await service.bed.startGateway({ MAX_EVENT_STREAMS: '2' });
    const job = await seedJob(service.bed.stores, accountId, ['waiting']);
    const path = `${small.url}/v1/jobs/${job.id}/events`;
    const open = () => fetch(path, { headers: { authorization: `Bearer ${key}` } });
    const streams = [await open(), await open()];
    const { status, headers, json } = await call(path, { key });
    expect([status, json.error.code, headers['retry-after']]).toEqual([429, 'RATE_LIMITED', '5']);
    expect(json.error.message).toBe('The API key has 2 event streams open already.');
    expect((await fetch(path, { method: 'HEAD', headers: { authorization: `Bearer ${key}` } })).status).toBe(
      200,
    );
    await streams[0]?.body?.cancel();
    await eventually(async () => {
      const again = await open();
      expect(again.status).toBe(200);
      streams.push(again);
    });
    for (const stream of streams.slice(1)) await stream.body?.cancel();
  });

  it('counts no stream of a client that left before it was opened', async () => {
    const job = await seedJob(service.bed.stores, service.owner.accountId, ['waiting']);
    const stored = await service.bed.stores.jobs.findJob(service.owner.accountId, job.id);
    if (!stored) throw new Error('The job was not stored.');
    const { jobs } = service.bed.stores;
    const logger = createLogger({ service: 'gateway', level: 'fatal', format: 'json' });
    const events = new JobEvents({ jobs, logger, maxStreamsPerKey: 1 });
    const stream = { job: stored, keyId: 'key_1', lastEventId: undefined };
    events.open({ ...stream, signal: AbortSignal.abort() });
    const closing = new AbortController();
    const opened = events.open({ ...stream, signal: closing.signal });
    expect((await opened.next()).value).toContain('event: progress');
    closing.abort();
  });

  it('reads a job once per interval, however many streams follow it', async () => {
    const job = await seedJob(service.bed.stores, service.owner.accountId, ['waiting']);
    const stored = await service.bed.stores.jobs.findJob(service.owner.accountId, job.id);
    if (!stored) throw new Error('The job was not stored.');
    let reads = 0;
    const findProgress = async () => {
      reads += 1;
      return [reads < 3 ? stored : { ...stored, completedUrls: 1, creditsUsed: 1 }];
    };
    const logger = createLogger({ service: 'gateway', level: 'fatal', format: 'json' });
    const events = new JobEvents({ jobs: { findProgress }, logger, maxStreamsPerKey: 100, intervalMs: 50 });
    const closing = new AbortController();
    const streams = Array.from({ length: 20 }, () =>
      events.open({ job: stored, keyId: 'key_1', lastEventId: undefined, signal: closing.signal }),
    );
    await Promise.all(streams.map((stream) => stream.next()));
    const texts = await Promise.all(streams.map((stream) => stream.next()));
    expect(texts.every(({ value }) => value?.includes('id: running-1-0-1'))).toBe(true);
    expect(reads).toBe(3);
    closing.abort();
  });
});
