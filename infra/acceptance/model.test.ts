import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Gleaner } from '@gleaner/client';
import { serveHttp } from '@gleaner/mcp';
import {
  createRandom,
  eventually,
  readShop,
  SHOP_SCHEMA,
  type Site,
  startModel,
  startSite,
  type TestModel,
  writeShop,
} from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import Firecrawl from 'firecrawl';
import { runGleaner } from '../stack/test/run-gleaner.ts';
import { startTestStack, type TestStack } from '../stack/test/test-stack.ts';
import { findFlaws, go, onBrowser, openBrowser, openPage, signIn } from './console/open-browser.ts';

let model: TestModel;
let bed: TestStack;
let site: Site;
let folder: string;
let gleaner: Gleaner;

/** Returns the shop of a page, which differs from all others. */
const shopOf = (page: number) => writeShop(createRandom(page));
const urlOf = (page: number) => `${site.origin}/${page}`;
const dataOf = (page: number) => ({
  heading: 'Our offers',
  products: shopOf(page).items.map(({ name, amount }) => ({ name, price: amount })),
});

/** Finds the products by the name that the console asks for as well. */
function readProducts(page: string) {
  const shop = readShop(page) as { readonly products: unknown };
  return { ...shop, items: shop.products };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-model-'));
  model = await startModel(readProducts);
  const settings = { LLM_URL: model.url, LLM_MODEL: 'test-model', LLM_CREDITS_PER_1K_TOKENS: '2' };
  bed = await startTestStack(settings, ['127.0.0.1']);
  site = await startSite(({ url, response }) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(shopOf(Number(url.pathname.slice(1)) || 1).html);
  });
  gleaner = new Gleaner({ url: bed.stack.url, apiKey: bed.stack.apiKey });
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  await site.close();
  await model[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

describe('fields by a model', () => {
  it('come with a scrape, with their evidence and their price', async () => {
    const { data, metadata, warnings } = await gleaner.scrape({
      url: urlOf(1),
      extract: { schema: SHOP_SCHEMA },
    });
    expect(data).toEqual(dataOf(1));
    expect(metadata).toMatchObject({
      credits: 4,
      creditsBreakdown: { base: 1, llm: 3 },
      llm: { model: 'test-model', evidence: { heading: { quote: 'Our offers', status: 'verbatim' } } },
    });
    expect(warnings).toBeUndefined();
  });

  it('come with the pages of a job, and are free where the question was asked before', async () => {
    const job = { urls: [2, 3].map(urlOf), extract: { schema: SHOP_SCHEMA } };
    const run = async () => {
      const { id } = await gleaner.jobs.create(job);
      await gleaner.jobs.wait(id);
      const results = [];
      for await (const result of gleaner.jobs.results(id)) if ('metadata' in result) results.push(result);
      return results;
    };
    const first = await run();
    expect(first.map((page) => page.data)).toEqual([2, 3].map(dataOf));
    expect(first.map((page) => page.metadata.credits)).toEqual([4, 4]);
    await eventually(async () => {
      const again = await run();
      expect(again.map((page) => page.metadata.llm?.cached)).toEqual([true, true]);
      expect(again.map((page) => page.metadata.credits)).toEqual([1, 1]);
    });
  });

  it('are refused by their path where the schema is not supported', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^a' } } };
    await expect(gleaner.scrape({ url: urlOf(1), extract: { schema } })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      details: [{ path: 'extract.schema.properties.a.pattern' }],
    });
  });

  it('have their highest price told before', async () => {
    const extract = { schema: SHOP_SCHEMA };
    const estimate = await gleaner.estimate({ url: urlOf(1), extract });
    expect(estimate.credits).toEqual({ worst: 221, basis: 'options' });
    const bounded = await gleaner.estimate({
      urls: [urlOf(1), urlOf(2)],
      extract: { ...extract, maxCredits: 9 },
    });
    expect(bounded.credits).toEqual({ worst: 20, basis: 'urls' });
  });

  it('become selectors of a snapshot, which give them without a model from then on', async () => {
    const asked = model.calls.length;
    const { snapshotId = '' } = await gleaner.scrape({ url: urlOf(6), snapshot: true });
    const proposal = await gleaner.snapshots.propose(snapshotId, { schema: SHOP_SCHEMA });
    expect(proposal).toMatchObject({ data: dataOf(6), unsolved: [], credits: 3 });
    expect(model.calls).toHaveLength(asked + 1);
    const { selectors } = proposal;
    const page = await gleaner.scrape({ url: urlOf(6), selectors });
    expect([page.data, page.metadata.credits]).toEqual([dataOf(6), 1]);
    expect(model.calls).toHaveLength(asked + 1);
  });

  it('come on the command line', async () => {
    const file = join(folder, 'schema.json');
    await writeFile(file, JSON.stringify(SHOP_SCHEMA));
    const args = ['scrape', urlOf(4), '--schema', file, '--extract-prompt', 'All products.', '--json'];
    const { stdout } = await runGleaner(bed.stack, folder, args);
    expect(JSON.parse(stdout)).toMatchObject({ data: dataOf(4) });
    expect(model.calls.at(-1)?.body.messages[1]?.content).toContain('All products.');
  });

  it('become selectors on the command line, which scrapes other pages by them', async () => {
    const [schema, selectors] = [join(folder, 'fields.json'), join(folder, 'selectors.json')];
    await writeFile(schema, JSON.stringify(SHOP_SCHEMA));
    await runGleaner(bed.stack, folder, ['selectors', urlOf(6), '--schema', schema, '-o', selectors]);
    const { stdout } = await runGleaner(bed.stack, folder, ['scrape', urlOf(6), '--selectors', selectors]);
    expect(JSON.parse(stdout)).toEqual(dataOf(6));
  });

  it('become selectors for an agent, which keeps them', async () => {
    const tools = await serveHttp({
      url: bed.stack.url,
      version: '1.0.0',
      host: '127.0.0.1',
      port: 0,
      allowedHosts: [],
      onNotice: () => {},
    });
    try {
      const agent = new Client({ name: 'test', version: '1.0.0' });
      const authorization = `Bearer ${bed.stack.apiKey}`;
      await agent.connect(
        new StreamableHTTPClientTransport(new URL(tools.url), {
          requestInit: { headers: { authorization } },
        }),
      );
      const call = async (name: string, args: Record<string, unknown>) =>
        (await agent.callTool({ name, arguments: args })).structuredContent as Record<string, unknown>;
      const extract = { schema: SHOP_SCHEMA };
      const { data, snapshotId: id } = await call('scrape', { url: urlOf(6), extract, snapshot: true });
      expect(data).toEqual(dataOf(6));
      const { proposal } = await call('suggest_selectors', { id, schema: SHOP_SCHEMA });
      expect(proposal).toMatchObject({ data: dataOf(6), unsolved: [] });
      const { selectors } = proposal as { selectors: object };
      expect((await call('scrape', { url: urlOf(6), selectors })).data).toEqual(dataOf(6));
      const unclear = await agent.callTool({ name: 'suggest_selectors', arguments: { id } });
      expect(JSON.stringify(unclear)).toContain('Give picks with kind, or a schema.');
      await agent.close();
    } finally {
      await tools.close();
    }
  });

  it('come by the SDK of Firecrawl', async () => {
    const firecrawl = new Firecrawl({ apiUrl: bed.stack.url, apiKey: bed.stack.apiKey });
    const formats = [{ type: 'json' as const, schema: SHOP_SCHEMA, prompt: 'Products' }, 'markdown' as const];
    const page = await firecrawl.scrape(urlOf(5), { formats });
    expect(page).toMatchObject({ json: dataOf(5), markdown: expect.stringContaining('Our offers') });
    const batch = await firecrawl.batchScrape([urlOf(5)], { options: { formats }, pollInterval: 1 });
    expect(batch.data[0]?.json).toEqual(dataOf(5));
    const merged = await firecrawl.extract({ urls: [2, 3].map(urlOf), schema: SHOP_SCHEMA, pollInterval: 1 });
    expect(merged).toMatchObject({
      status: 'completed',
      data: { heading: 'Our offers', products: [2, 3].flatMap((page) => dataOf(page).products) },
      sources: { products: [2, 3].map(urlOf) },
    });
  });
});

onBrowser('the workbench', () => {
  it('has a model find fields by their names, and goes on with their selectors', async () => {
    const browser = await openBrowser(bed);
    try {
      await using opened = await openPage(browser, bed.stack.url);
      const { page, problems } = opened;
      await signIn(page, bed);
      await go(page, bed, '/workbench', 'Workbench');
      await page.getByLabel('URL', { exact: true }).fill(urlOf(6));
      await page.getByRole('button', { name: 'Open', exact: true }).click();
      await page.getByText('Have a model find the fields').click();
      await page.getByLabel('Values of the page').fill('heading, rating: number');
      await page.getByLabel('Values of each item of a list').fill('name, price: number');
      await page.getByRole('button', { name: 'Find', exact: true }).click();
      await page.getByText('Selectors for heading, items, for 3 credits.').waitFor();
      await page.getByRole('listitem').filter({ hasText: 'rating:' }).waitFor();
      const values = page.getByRole('region', { name: 'Values' });
      for (const { name, price } of dataOf(6).products) {
        const row = values.getByRole('row').filter({ hasText: name });
        await row
          .getByRole('cell', { name: String(price), exact: true })
          .first()
          .waitFor();
      }
      expect(await findFlaws(page)).toEqual([]);
      expect(problems).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
