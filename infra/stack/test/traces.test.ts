import { fork } from 'node:child_process';
import { once } from 'node:events';
import {
  eventually,
  type OtlpReceiver,
  type ReceivedSpan,
  startOtlpReceiver,
  startWebhookReceiver,
} from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HAS_BROWSER, startTestStack, type TestStack } from './test-stack.ts';

type WebhookReceiver = Awaited<ReturnType<typeof startWebhookReceiver>>;

/** Requests that one attempt at a page makes before it gives up a status that may pass. */
const REQUESTS_OF_ATTEMPT = 3;
const SECRET = 'not-for-spans';

describe('traces', () => {
  let receiver: OtlpReceiver;
  let webhook: WebhookReceiver;
  let bed: TestStack;

  beforeAll(async () => {
    receiver = await startOtlpReceiver();
    webhook = await startWebhookReceiver();
    bed = await startTestStack({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, RETRY_DELAY_MS: '100' }, [
      `${webhook.host}:${webhook.port}`,
    ]);
  });
  afterAll(async () => {
    await bed[Symbol.asyncDispose]();
    await Promise.all([webhook.close(), receiver[Symbol.asyncDispose]()]);
  });

  /** Returns the spans of a trace as lines: service, name and the names from the first span down to it. */
  function pathsOf(traceId: string): string[] {
    const spans = receiver.spans.filter((span) => span.traceId === traceId);
    const byId = new Map(spans.map((span) => [span.spanId, span]));
    const pathOf = ({ service, name, parentSpanId }: ReceivedSpan): string => {
      const parent = byId.get(parentSpanId);
      return `${parent ? `${pathOf(parent)} > ` : ''}${service.replace('gleaner-', '')}: ${name}`;
    };
    return spans.map(pathOf).sort();
  }

  /** Returns the trace of the call with this request id, once it has these spans. */
  async function traceOf(requestId: string | null, expected: readonly string[]): Promise<string> {
    return await eventually(() => {
      const first = receiver.spans.find(({ attributes }) => attributes['gleaner.request.id'] === requestId);
      expect(first).toBeDefined();
      expect(pathsOf(first?.traceId ?? '')).toEqual([...expected].sort());
      return first?.traceId ?? '';
    });
  }

  it('follow a scrape from the gateway to the attempt', async () => {
    const { headers } = await bed.ask('/v1/scrape', {
      url: `${bed.origin.url}/product/1?token=${SECRET}`,
      headers: { authorization: SECRET },
    });
    const traceId = await traceOf(headers.get('x-request-id'), [
      'gateway: POST /v1/scrape',
      'gateway: POST /v1/scrape > scraper: scrape.http process',
      'gateway: POST /v1/scrape > scraper: scrape.http process > scraper: attempt',
    ]);
    const attempt = receiver.spans.find((span) => span.traceId === traceId && span.name === 'attempt');
    expect(attempt).toMatchObject({
      attributes: {
        'gleaner.engine': 'http',
        'http.response.status_code': 200,
        'gleaner.stage.firstByte.ms': expect.any(Number),
      },
      hasFailed: false,
    });
  });

  it('follow a job over a retry to its webhook', async () => {
    const { headers, json } = await bed.ask('/v1/jobs', {
      urls: [`${bed.origin.url}/flaky/${REQUESTS_OF_ATTEMPT}/once`],
      webhook: `${webhook.url}?token=${SECRET}`,
    });
    await eventually(async () => {
      expect((await bed.ask(`/v1/jobs/${json.job.id}`)).json.job.status).toBe('completed');
    });
    const created = 'gateway: POST /v1/jobs > job-orchestrator: jobs.commands process';
    const page = `${created} > scraper: pages.http process`;
    const event = `${created} > webhook-notifier: webhooks.events process`;
    const traceId = await traceOf(headers.get('x-request-id'), [
      'gateway: POST /v1/jobs',
      created,
      ...[page, `${page} > scraper: attempt`],
      ...[page, `${page} > scraper: attempt`],
      `${created} > job-orchestrator: job`,
      ...[event, event, `${event} > webhook-notifier: webhook attempt`],
    ]);
    const attempts = receiver.spans.filter((span) => span.traceId === traceId && span.name === 'attempt');
    expect(attempts.map(({ hasFailed }) => hasFailed).sort()).toEqual([false, true]);
  });

  (HAS_BROWSER ? it : it.failing)('follow a scrape from one engine to the other', async () => {
    const { headers } = await bed.ask('/v1/scrape', { url: `${bed.origin.url}/status/403`, antiBot: true });
    const gateway = 'gateway: POST /v1/scrape';
    await eventually(() => {
      const first = receiver.spans.find(
        ({ attributes }) => attributes['gleaner.request.id'] === headers.get('x-request-id'),
      );
      expect(pathsOf(first?.traceId ?? '')).toContain(
        `${gateway} > scraper: scrape.http process > scraper: scrape.browser process`,
      );
    });
  });

  it("belong to the caller's own trace", async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    await fetch(`${bed.stack.url}/v1/usage`, {
      headers: {
        authorization: `Bearer ${bed.stack.apiKey}`,
        traceparent: `00-${traceId}-b7ad6b7169203331-01`,
      },
    });
    await eventually(() => expect(pathsOf(traceId)).toEqual(['gateway: GET /v1/usage']));
  });

  it('have no secrets', () => {
    expect(receiver.spans.length).toBeGreaterThan(10);
    expect(JSON.stringify(receiver.spans)).not.toContain(SECRET);
    expect(JSON.stringify(receiver.spans)).not.toContain(bed.stack.apiKey);
  });
});

describe('without a collector', () => {
  it.each([
    ['loads nothing of OpenTelemetry', undefined, 0],
    ['which is what loads it', 'http://127.0.0.1:9', expect.any(Number)],
  ])('%s', async (_name, endpoint, expected) => {
    const child = fork(new URL('./loaded-modules-process.ts', import.meta.url), endpoint ? [endpoint] : [], {
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    const [loaded] = await once(child, 'message');
    expect(loaded.services).toBeGreaterThan(4);
    // Each takes megabytes of an idle service: docs/decisions/idle-memory.md.
    expect(loaded.notNeeded).toEqual([]);
    expect(loaded.openTelemetry).toEqual(expected);
    if (endpoint) expect(loaded.openTelemetry).toBeGreaterThan(0);
  });
});
