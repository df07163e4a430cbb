import { ERROR_TABLE, type ErrorCode } from '@gleaner/contracts';
import { createRandom, fuzzSeeds, type Random } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call } from './support/call.ts';
import { type ScriptedWorker, startScriptedWorker } from './support/scripted-worker.ts';
import { startTestBed, type TestBed, type TestGateway, type TestKey } from './support/test-bed.ts';

const SEEDS = fuzzSeeds(20);
const BODIES_PER_SEED = 200;
const BALANCE = 1_000_000;

let bed: TestBed;
let gateway: TestGateway;
let worker: ScriptedWorker;
let owner: TestKey;

beforeAll(async () => {
  bed = await startTestBed();
  gateway = await bed.startGateway({ RATE_LIMIT_SCRAPE: '1000000' });
  worker = await startScriptedWorker(bed.broker);
  owner = await bed.createKey({ balance: BALANCE });
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

/** A full and valid request: what the mutations begin with. */
const VALID_BODY = JSON.stringify({
  url: 'https://example.com/a?b=c#d',
  selectors: {
    title: 'h1::text',
    links: { selector: 'a', all: true, absolute: true, fields: { href: ':scope::attr(href)' } },
  },
  cookies: [{ name: 'a', value: 'b', domain: 'example.com', path: '/', secure: true, sameSite: 'Lax' }],
  headers: { 'Accept-Language': 'de', 'X-Test': 'yes' },
  timeout: 5000,
});

/** Texts that are inserted into bodies, or replace parts of them. */
const FRAGMENTS = [
  ...[
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"',
    '\\',
    '\\u0000',
    '\\ud800',
    'null',
    'true',
    '1e999',
    '-0',
    '""',
    '{}',
    '[]',
  ],
  ...[
    '"__proto__":{"a":1},',
    '"constructor":1,',
    '"render":true,',
    '"waitFor":"h1",',
    '"proxy":"us",',
    '"timeout":0,',
  ],
  ...[
    'http://127.0.0.1/',
    'http://[::1]/',
    'http://user:pw@example.com/',
    'file:///etc/passwd',
    'https://example.com:22/',
  ],
  ...[
    'h2 >',
    '::text',
    '::attr()',
    ':has(',
    '[a=',
    '\u0000',
    '\u{1F600}',
    '\uFEFF',
    '\r\nX-A: b',
    '[['.repeat(300),
  ],
];

function mutate(random: Random): Buffer {
  let text = VALID_BODY;
  for (let times = random.below(4); times >= 0; times--) {
    const at = random.below(text.length + 1);
    const fragment = random.pick(FRAGMENTS);
    text = text.slice(0, at) + fragment + text.slice(at + random.below(30));
  }
  const bytes = Buffer.from(text);
  if (random.below(10) === 0 && bytes.length > 0) bytes[random.below(bytes.length)] = 128 + random.below(128);
  return bytes;
}

async function creditsUsed(): Promise<number> {
  const { json } = await call(`${gateway.url}/v1/usage`, { key: owner.key });
  return json.usage.used;
}

describe('a mutated body', () => {
  it.each(SEEDS)(
    'is answered with a page or a documented error, and only pages are charged (seed %i)',
    async (seed) => {
      const random = createRandom(seed);
      const usedBefore = await creditsUsed();
      let pages = 0;
      for (let round = 0; round < BODIES_PER_SEED; round++) {
        const { status, json } = await call(`${gateway.url}/v1/scrape`, {
          key: owner.key,
          body: mutate(random),
        });
        if (json.success) pages += 1;
        else {
          const code: ErrorCode = json.error.code;
          expect(status).toBe(ERROR_TABLE[code].httpStatus);
          // No browser worker runs here; every other error is caused by the body.
          expect(status === 503 || status < 500).toBe(true);
        }
      }
      expect((await creditsUsed()) - usedBefore).toBe(pages);
      expect(worker.commands.length).toBeGreaterThanOrEqual(pages);
    },
  );
});
