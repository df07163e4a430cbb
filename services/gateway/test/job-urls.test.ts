import { pageIdOf } from '@gleaner/storage';
import { describe, expect, it } from '@jest/globals';
import { seedJob } from './support/scripted-orchestrator.ts';
import { GONE, useGateway } from './support/use-gateway.ts';

const service = useGateway();
const { ask } = service;

describe('GET /v1/jobs/:id/urls', () => {
  const SEEDED = [
    { data: {} },
    { failure: GONE },
    'waiting',
    { copyOf: 1 },
    { copyOf: 2 },
    { copyOf: 0 },
  ] as const;
  const URL_0 = 'https://example.com/0';

  it('streams every URL in order with its state, its attempts and its error', async () => {
    const { id } = await seedJob(service.bed.stores, service.owner.accountId, SEEDED);
    const { json } = await ask(`/v1/jobs/${id}/urls`);
    expect(json).toEqual([
      { index: 0, url: URL_0, state: 'completed', attempts: 1 },
      { index: 1, url: 'https://example.com/1', state: 'failed', attempts: 1, error: GONE },
      { index: 2, url: 'https://example.com/2', state: 'waiting', attempts: 0 },
      { index: 3, url: 'https://example.com/1#3', state: 'failed', attempts: 1, duplicateOf: 1, error: GONE },
      { index: 4, url: 'https://example.com/2#4', state: 'waiting', attempts: 0, duplicateOf: 2 },
      { index: 5, url: `${URL_0}#5`, state: 'completed', attempts: 1, duplicateOf: 0 },
    ]);
  });

  it.each([
    ['completed', [0, 5]],
    ['failed', [1, 3]],
    ['waiting', [2, 4]],
    ['running', []],
    ['cancelled', []],
  ])('finds the URLs that are %s', async (state, indexes) => {
    const { id } = await seedJob(service.bed.stores, service.owner.accountId, SEEDED);
    const { json } = await ask(`/v1/jobs/${id}/urls?state=${state}`);
    expect(json.map(({ index }: { index: number }) => index)).toEqual(indexes);
    const plain = await seedJob(service.bed.stores, service.owner.accountId, SEEDED.slice(0, 3));
    const answer = await ask(`/v1/jobs/${plain.id}/urls?state=${state}`);
    expect(answer.json).toHaveLength(indexes.length / 2);
  });

  it('finds the URLs whose results come from pages of some kinds', async () => {
    const pages = [
      { data: {}, verdict: 'login' as const },
      { failure: GONE },
      { data: {}, verdict: 'content' as const },
      'waiting' as const,
    ];
    const { accountId } = service.owner;
    const plain = await seedJob(service.bed.stores, accountId, pages);
    const { json } = await ask(`/v1/jobs/${plain.id}/urls?verdict=login`);
    expect(json).toEqual([{ index: 0, url: URL_0, state: 'completed', attempts: 1, verdict: 'login' }]);
    const copied = await seedJob(service.bed.stores, accountId, [...pages, { copyOf: 0 }]);
    const find = async (query: string) =>
      (await ask(`/v1/jobs/${copied.id}/urls?${query}`)).json.map(({ index }: { index: number }) => index);
    expect(await find('verdict=login')).toEqual([0, 4]);
    expect(await find('verdict=content,login')).toEqual([0, 2, 4]);
    expect(await find('verdict=login&state=failed')).toEqual([]);
    expect(await find(`verdict=content&url=${encodeURIComponent(URL_0)}`)).toEqual([]);
  });

  it('follows a page through its states', async () => {
    const { id } = await seedJob(service.bed.stores, service.owner.accountId, ['waiting', 'waiting']);
    const pageId = pageIdOf(id, 0);
    const stateOf = async () => (await ask(`/v1/jobs/${id}/urls`)).json[0];
    await service.bed.stores.pages.claim([pageId], new Date(Date.now() + 60_000));
    expect(await stateOf()).toMatchObject({ state: 'running', attempts: 1 });
    const again = { state: 'waiting', notBefore: new Date(), because: 'failures', failure: GONE } as const;
    await service.bed.stores.pages.end([{ id: pageId, attempt: 1, ...again }], new Date());
    expect(await stateOf()).toMatchObject({ state: 'waiting', attempts: 1, error: GONE });
    await service.bed.stores.pages.cancelSome(id, 10, new Date());
    expect((await ask(`/v1/jobs/${id}/urls?state=cancelled`)).json).toHaveLength(2);
  });

  it('finds the entries of one URL, however it is written', async () => {
    const { id } = await seedJob(service.bed.stores, service.owner.accountId, SEEDED);
    const find = async (url: string) =>
      (await ask(`/v1/jobs/${id}/urls?url=${encodeURIComponent(url)}`)).json.map(
        ({ index }: { index: number }) => index,
      );
    expect(await find('HTTPS://example.com:443/0#any')).toEqual([0, 5]);
    expect(await find('https://example.com/2')).toEqual([2, 4]);
    expect(await find('https://example.com/none')).toEqual([]);
    const both = await ask(`/v1/jobs/${id}/urls?state=failed&url=${encodeURIComponent(URL_0)}`);
    expect(both.json).toEqual([]);
  });

  it('tells fragments apart where a browser may get them', async () => {
    const { id } = await seedJob(service.bed.stores, service.owner.accountId, SEEDED, { render: true });
    const { json } = await ask(`/v1/jobs/${id}/urls?url=${encodeURIComponent(`${URL_0}#5`)}`);
    expect(json).toMatchObject([{ index: 5 }]);
  });

  it('streams one object per line when Accept asks for it', async () => {
    const seeded = Array.from({ length: 250 }, () => 'waiting' as const);
    const { id } = await seedJob(service.bed.stores, service.owner.accountId, seeded);
    const headers = { authorization: `Bearer ${service.owner.key}`, accept: 'application/x-ndjson' };
    const response = await fetch(`${service.gateway.url}/v1/jobs/${id}/urls`, { headers });
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const lines = (await response.text()).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).index)).toEqual(seeded.map((_, index) => index));
    const csv = await ask(`/v1/jobs/${id}/urls`, { headers: { accept: 'text/csv' } });
    expect(csv.json).toHaveLength(250);
  });

  it.each(['state=succeeded', 'url=not%20a%20url', 'url=', 'limit=1'])('refuses ?%s', async (query) => {
    const { id } = await seedJob(service.bed.stores, service.owner.accountId, SEEDED);
    const { status, json } = await ask(`/v1/jobs/${id}/urls?${query}`);
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
  });
});
