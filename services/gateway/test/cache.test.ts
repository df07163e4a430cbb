import { describe, expect, it } from '@jest/globals';
import { packedPage } from './support/scripted-snapshots.ts';
import { found } from './support/scripted-worker.ts';
import { useGateway } from './support/use-gateway.ts';

const URL_A = 'https://example.com/';
const FRESH = { maxAge: 60_000 };

describe('a scrape with maxAge', () => {
  const service = useGateway({}, { balance: 20 });

  /** Has the worker do as scrapers do: it takes the page that came with the command, or fetches it to be kept. */
  function keepOrTake(): void {
    service.worker.follow(({ body: { reuseKey: key, kept } }) => {
      const timestamp = new Date().toISOString();
      if (kept) return found({ timestamp, price: { base: 0 }, attempts: [], cache: { age: kept.age ?? 0 } });
      return found({ timestamp, ...(key !== undefined && { reusable: { key, ...packedPage(URL_A) } }) });
    });
  }

  async function scrape(options: object = FRESH, key = service.owner.key) {
    const { json, status } = await service.ask('/v1/scrape', { key, body: { url: URL_A, ...options } });
    expect(status).toBe(200);
    return { json, command: service.worker.commands.at(-1) };
  }
  const usage = async () => (await service.ask('/v1/usage')).json.usage;

  it('is answered from the page of an earlier one, costs nothing and is counted as cached', async () => {
    keepOrTake();
    expect((await scrape()).json.metadata).not.toHaveProperty('cache');
    const before = await usage();
    const { json, command } = await scrape({ ...FRESH, selectors: { a: 'b' }, maxCredits: 1 });
    expect(command?.kept).toMatchObject({ ...packedPage(URL_A), statusCode: 200, engine: 'http' });
    expect(json.metadata).toMatchObject({
      credits: 0,
      creditsBreakdown: { base: 0 },
      attempts: [],
      cache: { age: expect.any(Number) },
    });
    const after = await usage();
    expect(after).toMatchObject({ used: before.used, reserved: 0, remaining: before.remaining });
    expect(after.byOperation.cached).toEqual({ credits: 0, requests: 1 });
  });

  it.each<[string, object]>([
    ['without it', {}],
    ['with 0', { maxAge: 0 }],
    ['with another header', { ...FRESH, headers: { a: 'b' } }],
    ['with a body', { ...FRESH, body: 'a', repeatable: true }],
    ['with an unrepeatable body', { ...FRESH, body: 'a' }],
    ['of a file', { ...FRESH, download: true }],
  ])('is fetched %s', async (_case, options) => {
    keepOrTake();
    await scrape();
    expect((await scrape(options)).command).not.toHaveProperty('kept');
  });

  it('is fetched for another account', async () => {
    keepOrTake();
    await scrape();
    expect((await scrape(FRESH, service.stranger.key)).command).not.toHaveProperty('kept');
  });

  it('is fetched when the page of before was deleted', async () => {
    keepOrTake();
    await scrape();
    await service.bed.database.models.cachedPages.deleteMany({});
    const { json, command } = await scrape();
    expect(command).not.toHaveProperty('kept');
    expect(json.metadata.credits).toBe(1);
  });

  it('is answered although the page of before is deleted while it is read', async () => {
    keepOrTake();
    await scrape();
    service.worker.follow(async ({ body: { kept } }) => {
      await service.bed.database.models.cachedPages.deleteMany({});
      return found({ price: { base: 0 }, attempts: [], cache: { age: kept?.age ?? -1 } });
    });
    expect((await scrape()).json.metadata.cache.age).toBeGreaterThanOrEqual(0);
  });

  it('is answered when two come at once, and keeps one page', async () => {
    await service.bed.database.models.cachedPages.deleteMany({});
    keepOrTake();
    const answers = await Promise.all([scrape(), scrape()]);
    expect(answers.map(({ json }) => json.success)).toEqual([true, true]);
    expect(await service.bed.database.models.cachedPages.countDocuments()).toBe(1);
  });

  it('is refused above the longest age', async () => {
    const { json } = await service.ask('/v1/scrape', { body: { url: URL_A, maxAge: 31 * 86_400_000 } });
    expect(json.error).toMatchObject({ code: 'INVALID_REQUEST', details: [{ path: 'maxAge' }] });
  });
});
