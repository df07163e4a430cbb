import type { Job } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { readWebhook, wants } from './on-job-event.ts';
import { renderJobEvent, renderTestEvent } from './render-event.ts';

const HEAD = { id: 'evt_1', type: 'job.completed', timestamp: '2026-01-31T12:00:00.000Z' } as const;
const JOB: Job = {
  id: 'job_1',
  name: 'A "quoted" name',
  status: 'completed',
  totalUrls: 2,
  completedUrls: 2,
  failedUrls: 0,
  creditsUsed: 2,
  createdAt: '2026-01-31T11:59:00.000Z',
};

describe('the body of an event', () => {
  it('contains the job with its results and metadata', () => {
    const results = [
      '{"url":"https://a.test/","data":{"__proto__":1}}',
      '{"url":"https://b.test/","data":null}',
    ];
    const body = renderJobEvent(HEAD, { job: JOB, results, metadata: { order: '7' } });
    expect(body).toContain(results.join(','));
    expect(JSON.parse(body)).toEqual({
      ...HEAD,
      data: { metadata: { order: '7' }, job: { ...JOB, results: results.map((text) => JSON.parse(text)) } },
    });
  });

  it('links to all results when some are left out', () => {
    const body = renderJobEvent(HEAD, { job: JOB, results: [], resultsUrl: '/v1/jobs/job_1/results' });
    expect(JSON.parse(body).data).toEqual({
      job: { ...JOB, resultsTruncated: true, resultsUrl: '/v1/jobs/job_1/results', results: [] },
    });
  });

  it('has the same form for a test', () => {
    const body = JSON.parse(renderTestEvent({ ...HEAD, type: 'webhook.test' }));
    expect(body).toEqual({ ...HEAD, type: 'webhook.test', data: { message: expect.any(String) } });
  });
});

describe('a webhook', () => {
  it('that is a URL gets the final events of jobs', () => {
    const webhook = readWebhook('"https://example.com/hook"');
    expect(webhook.url).toBe('https://example.com/hook');
    expect(wants(webhook, 'job.partial')).toBe(true);
    expect(wants(webhook, 'job.started')).toBe(false);
    expect(wants(webhook, 'schedule.changed')).toBe(false);
  });

  it('that names events gets only those', () => {
    const webhook = readWebhook(
      '{"url":"https://example.com/","events":["job.started"],"metadata":{"a":"b"}}',
    );
    expect(webhook.metadata).toEqual({ a: 'b' });
    expect(wants(webhook, 'job.started')).toBe(true);
    expect(wants(webhook, 'job.completed')).toBe(false);
  });
});
