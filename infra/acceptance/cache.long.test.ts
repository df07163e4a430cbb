import type { ScrapeRequest } from '@gleaner/contracts';
import { createRandom, fuzzSeeds, type Random, type Site, startSite } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { askStack, type TestStack } from '../stack/test/test-stack.ts';
import { joinStack } from './join-stack.ts';

const TEXT = 'A kettle boils a litre of water in four minutes, and is made of glass and steel. '.repeat(5);
const ROUNDS = 200;

/** Values of options: of some on which a page depends, and of others. */
const SHAPING: Readonly<Record<string, readonly unknown[]>> = {
  headers: [
    { a: '1' },
    { a: '2' },
    { authorization: 'Bearer 1' },
    { 'Accept-Language': 'de' },
    { 'User-Agent': 'x' },
  ],
  cookies: [[{ name: 'a', value: '1' }], [{ name: 'a', value: '2' }]],
  form: [{ a: 1 }, { a: 2 }],
  json: [{ a: 1 }, false],
  repeatable: [true],
  render: ['auto'],
  antiBot: [true],
  overlays: ['hide'],
  freshContext: [true],
};
const READING: Readonly<Record<string, readonly unknown[]>> = {
  formats: [['text'], ['markdown']],
  locale: ['de'],
  onSuspect: ['fail'],
  snapshot: [true],
  timeout: [60_000],
};
const MAX_AGES = [undefined, 0, 1, 500, 3_600_000];
const PATHS = ['/a', '/b', '/a?c', '/no-store', '/vary-freely', '/away', '/gone'];

let beds: readonly TestStack[];
let site: Site;
/** Requests as the site saw them, by the number of the answer. */
const seen = new Map<string, string>();

beforeAll(async () => {
  beds = [await joinStack(), await joinStack()];
  site = await startSite(async ({ url, number, request, response }) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { a, authorization, cookie, 'accept-language': language, 'user-agent': agent } = request.headers;
    const asked = [a, authorization, cookie, language, agent];
    seen.set(
      `${number}`,
      JSON.stringify([request.method, url.pathname, url.search, asked, `${Buffer.concat(chunks)}`]),
    );
    const headers: Record<string, string> = { 'content-type': 'text/html' };
    if (url.pathname === '/no-store') headers['cache-control'] = 'no-store';
    if (url.pathname === '/vary-freely') headers.vary = '*';
    const status = url.pathname === '/away' ? 302 : url.pathname === '/gone' ? 404 : 200;
    if (status === 302) headers.location = `http://localhost:${url.port}/a`;
    response.writeHead(status, headers);
    response.end(`<!doctype html><title>Kettles</title><h1>${number}</h1><p>${TEXT}`);
  });
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  for (const bed of beds) await bed[Symbol.asyncDispose]();
});

function draw(random: Random): ScrapeRequest {
  const some = (all: Readonly<Record<string, readonly unknown[]>>, share: number) =>
    Object.entries(all).flatMap(([name, values]) =>
      random.below(share) === 0 ? [[name, random.pick(values)] as const] : [],
    );
  const maxAge = random.pick(MAX_AGES);
  const options = Object.fromEntries([...some(SHAPING, 9), ...some(READING, 4)]);
  if ('form' in options && 'json' in options) delete options.json;
  const selectors = { number: 'h1' };
  return {
    url: site.origin + random.pick(PATHS),
    selectors,
    ...options,
    ...(maxAge !== undefined && { maxAge }),
  };
}

/** Returns what a page depends on. */
function shapeOf(account: number, request: ScrapeRequest): string {
  const shaping = Object.entries(request).filter(([name]) => name === 'url' || name in SHAPING);
  return JSON.stringify([account, Object.fromEntries(shaping.sort())]);
}

describe('pages with maxAge', () => {
  /** Shapes by the number of the answer that was fetched for them, of all seeds: pages are kept longer than one takes. */
  const shapes = new Map<string, string>();

  it.each(fuzzSeeds(3))('come from equal requests of the account alone: seed %d', async (seed) => {
    const random = createRandom(seed);
    let taken = 0;
    let request = draw(random);
    for (let round = 0; round < ROUNDS; round += 1) {
      const account = random.below(2);
      // Some are equal to the one before, so that pages are reused on any day.
      request = random.below(4) === 0 ? { ...request, maxAge: 3_600_000 } : draw(random);
      const { json } = await askStack(beds[account]?.stack as TestStack['stack'], '/v1/scrape', request);
      if (!json.success) continue;
      const { number } = json.data;
      const shape = shapeOf(account, request);
      const { cache, credits } = json.metadata;
      if (!cache) {
        expect(shapes.has(number)).toBe(false);
        shapes.set(number, shape);
        continue;
      }
      taken += 1;
      expect({ credits, shape }).toEqual({ credits: 0, shape: shapes.get(number) });
      expect(cache.age).toBeGreaterThanOrEqual(0);
      expect(cache.age).toBeLessThanOrEqual(request.maxAge ?? 0);
      expect(seen.get(number)).not.toMatch(/no-store|vary-freely|away|gone/);
    }
    expect(taken).toBeGreaterThan(5);
  });
});
