import { eventually } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HAS_BROWSER, type TestStack } from '../stack/test/test-stack.ts';
import { joinStack } from './join-stack.ts';

let bed: TestStack;

beforeAll(async () => {
  bed = await joinStack();
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

async function creditsUsed(): Promise<number> {
  const { json } = await bed.ask('/v1/usage');
  return json.usage.used;
}

describe('antiBot over REST', () => {
  it('is suggested when a wall blocks a page', async () => {
    const { status, json } = await bed.ask('/v1/scrape', { url: `${bed.origin.url}/wall/datadome/headers` });
    expect([status, json.error.code, json.error.source]).toEqual([403, 'BLOCKED', 'target']);
    expect(json.error.suggestion).toContain('antiBot');
  });

  it.each([
    ['/product/1', ['http success'], { base: 1 }],
    ['/wall/datadome/headers', ['http BLOCKED', 'http success'], { base: 1, antiBot: 10 }],
  ])('gets %s with the rung that succeeds, and charges that rung', async (path, attempts, breakdown) => {
    const before = await creditsUsed();
    const { status, json } = await bed.ask('/v1/scrape', { url: bed.origin.url + path, antiBot: true });
    expect([status, json.error]).toEqual([200, undefined]);
    expect(json.metadata.creditsBreakdown).toEqual(breakdown);
    expect(json.metadata.attempts.map(shown)).toEqual(attempts);
    expect(await creditsUsed()).toBe(before + json.metadata.credits);
  });

  if (!HAS_BROWSER) return;

  it('climbs to the browser within one call, is charged once, and remembers the rung', async () => {
    const before = await creditsUsed();
    const request = { url: `${bed.origin.url}/wall/imperva/script`, antiBot: true, selectors: { h: 'h1' } };
    const first = await bed.ask('/v1/scrape', request);
    expect([first.status, first.json.error]).toEqual([200, undefined]);
    expect(first.json).toMatchObject({
      data: { h: 'Behind the wall' },
      metadata: { engine: 'browser', credits: 15, creditsBreakdown: { base: 1, render: 4, antiBot: 10 } },
    });
    // Another page of this host got through with Chrome's headers, so the climb starts there.
    expect(first.json.metadata.attempts.map(shown).at(-1)).toBe('browser success');
    const second = await bed.ask('/v1/scrape', request);
    expect(second.json.metadata.attempts.map(shown)).toEqual(['browser success']);
    expect(await creditsUsed()).toBe(before + 30);
  });

  it('climbs for each page of a job and charges the rung that succeeded', async () => {
    const before = await creditsUsed();
    const urls = ['/wall/akamai/webdriver', '/wall/akamai/script'].map((path) => bed.origin.url + path);
    const created = await bed.ask('/v1/jobs', { urls, antiBot: true, selectors: { h: 'h1' } });
    const job = await eventually(
      async () => {
        const { json } = await bed.ask(`/v1/jobs/${created.json.job.id}`);
        expect(json.job.status).toBe('completed');
        return json.job;
      },
      { intervalMs: 100 },
    );
    expect(job.results.map(({ data }: { data: unknown }) => data)).toEqual(
      urls.map(() => ({ h: 'Behind the wall' })),
    );
    expect(job.creditsUsed).toBe(30);
    expect(await creditsUsed()).toBe(before + 30);
  });
});

function shown({ engine, outcome }: { engine: string; outcome: string }): string {
  return `${engine} ${outcome}`;
}
