import { describe, expect, it } from '@jest/globals';
import { createMetrics } from './create-metrics.ts';

describe('createMetrics', () => {
  it("renders Node's own metrics and ours, labeled with the service", async () => {
    const metrics = createMetrics('gateway');
    metrics
      .counter({ name: 'scrapes_total', help: 'Scrapes.', labelNames: ['outcome'] })
      .inc({ outcome: 'ok' });
    metrics.gauge({ name: 'in_flight', help: 'Now.' }).set(3);
    metrics.histogram({ name: 'wait_seconds', help: 'Waits.' }).observe(0.2);
    metrics.histogram({ name: 'page_bytes', help: 'Sizes.' }).observe(20_000);
    const { contentType, text } = await metrics.render();
    expect(contentType).toContain('text/plain');
    expect(text).toContain('gleaner_scrapes_total{outcome="ok",service="gateway"} 1');
    expect(text).toContain('gleaner_in_flight{service="gateway"} 3');
    expect(text).toContain('gleaner_wait_seconds_bucket{le="0.25",service="gateway"} 1');
    expect(text).toContain('gleaner_page_bytes_bucket{le="65536",service="gateway"} 1');
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds{service="gateway"}');
    expect(text).toContain('nodejs_heap_size_used_bytes{service="gateway"}');
  });

  it('reads a gauge at each scrape', async () => {
    const metrics = createMetrics('gateway');
    let queued = 1;
    metrics.gauge({
      name: 'queued',
      help: 'Waiting.',
      collect() {
        this.set(queued);
      },
    });
    expect((await metrics.render()).text).toContain('gleaner_queued{service="gateway"} 1');
    queued = 2;
    expect((await metrics.render()).text).toContain('gleaner_queued{service="gateway"} 2');
  });

  it('keeps registries apart, and rejects a second metric of the same name', () => {
    const metrics = createMetrics('gateway');
    createMetrics('scraper').counter({ name: 'scrapes_total', help: 'Scrapes.' });
    metrics.counter({ name: 'scrapes_total', help: 'Scrapes.' });
    expect(() => metrics.counter({ name: 'scrapes_total', help: 'Scrapes.' })).toThrow(
      /already been registered/,
    );
  });
});
