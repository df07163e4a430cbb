import { brotliDecompressSync } from 'node:zlib';
import type { Broker } from '@gleaner/broker';
import type { Proposal } from '@gleaner/contracts';
import { createRandom, MODEL_FAULTS, readShop, SHOP_SCHEMA, writeShop } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { packPage } from '../src/snapshots/pack-page.ts';
import { type ModelScraper, startModelScraper } from './start-model-scraper.ts';

const PAGE = { kind: 'html', baseUrl: 'https://shop.example/' } as const;

let bed: ModelScraper;
let broker: Broker;

beforeAll(async () => {
  bed = await startModelScraper(readShop, { LLM_CREDITS_PER_1K_TOKENS: '2' });
  broker = await bed.scraper.connect();
});
afterAll(async () => {
  await broker.close();
  await bed[Symbol.asyncDispose]();
});

async function solve(html: string, others: readonly string[] = []): Promise<Proposal> {
  const task = {
    type: 'solve' as const,
    extract: { schema: SHOP_SCHEMA },
    deadlineMs: Date.now() + 240_000,
    others: await Promise.all(others.map((other) => packPage(other, PAGE))),
  };
  const command = { accountId: 'acc_test', page: await packPage(html, PAGE), task };
  const { content } = await broker.request('snapshots.commands', command, { timeoutMs: 240_000 });
  return JSON.parse(brotliDecompressSync(Buffer.from(content, 'base64')).toString()).proposal;
}

const shopOf = (seed: number) => writeShop(createRandom(seed));

describe('a schema', () => {
  it('becomes selectors that give what the model has found', async () => {
    bed.model.behave('honest');
    const { html, items } = shopOf(1);
    const proposal = await solve(html, [html, '<p>Closed</p>']);
    expect(proposal).toMatchObject({
      selectors: { heading: expect.any(String), products: { all: true } },
      data: { heading: 'Our offers' },
      unsolved: [],
      stableOn: { heading: '1 of 2', products: '1 of 2' },
      llm: { model: 'test-model', evidence: { heading: { status: 'verbatim' } } },
      credits: 3,
    });
    for (const { name, amount } of items)
      expect(proposal.data.products).toContainEqual({ name, price: amount });
  });

  it.each(MODEL_FAULTS.filter((fault) => ['lies', 'swaps', 'misquotes', 'obeys'].includes(fault)))(
    'becomes selectors of values that stand on the page, from a model that %s',
    async (fault) => {
      bed.model.behave(fault);
      for (let seed = 10; seed < 16; seed += 1) {
        const { html } = shopOf(seed);
        const { data } = await solve(html);
        const products = (data.products ?? []) as readonly { readonly name?: string | null }[];
        for (const { name } of products) if (name) expect(html).toContain(name);
      }
    },
  );

  it('has no answer where the model fails', async () => {
    bed.model.behave('refuses');
    await expect(solve(shopOf(30).html)).rejects.toMatchObject({
      code: 'MODEL_FAILED',
      message: expect.stringContaining('refused'),
    });
  });
});
