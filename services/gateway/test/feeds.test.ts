import { compileSelectors, extract, parseDocument } from '@gleaner/extraction';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { send } from './support/call.ts';
import { type SeededRun, seedRun } from './support/seed-runs.ts';
import { useSchedules } from './support/use-schedules.ts';

const on = useSchedules();
const { ask, create } = on;
let scheduleId: string;

beforeEach(async () => {
  scheduleId = await create({ name: 'Prices <&>' });
});

const PAGE = 'https://example.com/';
const run = (more: Omit<SeededRun, 'accountId' | 'scheduleId'>) =>
  seedRun(on.bed, { accountId: on.owner.accountId, scheduleId, ...more });
const message = (title: string, text = title) => ({
  rule: 'Cheap',
  title,
  text,
  records: [{ record: 'Emma', url: `${PAGE}emma?a=1&b=2`, values: [] }],
});
const change = (path: string, more: object = {}) =>
  ({ url: PAGE, path, kind: 'changed', before: 30, after: 18, ...more }) as const;

/** Returns the addresses of the feeds. */
async function feedOf(id = scheduleId): Promise<{ token: string; atomUrl: string; jsonUrl: string }> {
  return (await ask(`/v1/schedules/${id}/feed`)).json.feed;
}

const open = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  send(on.gateway.url + path, { headers, method });
const readJson = async (path: string) => JSON.parse((await open(path)).text);

const PLAN = compileSelectors({
  id: 'feed > id',
  title: 'feed > title',
  updated: 'feed > updated',
  entries: {
    selector: 'entry',
    all: true,
    fields: {
      id: 'id',
      title: { selector: 'title', whitespace: 'keep' },
      at: 'updated',
      url: 'link::attr(href)',
      content: { selector: 'content', whitespace: 'keep' },
      terms: 'category::attr(term)::all',
    },
  },
});

/** Reads a document that must be well-formed. */
function readAtom(text: string) {
  const document = parseDocument(text, { kind: 'xml' });
  expect(document.xmlError).toBeNull();
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of it.
  return extract(document, PLAN, { baseUrl: PAGE }).data as any;
}

describe('the feeds of a schedule', () => {
  it('have what rules told and what runs found changed, newest first', async () => {
    const [first, second] = [new Date('2026-01-01T10:00:00.500Z'), new Date('2126-01-02T10:00:00.500Z')];
    const one = await run({ changes: [change('price.amount')], completedAt: first });
    const two = await run({
      messages: [message('Cheap: Emma 18'), message('Cheap: 2 records', 'A 1\nB 2')],
      changes: [change('title', { after: 'x' }), change('books[Emma]', { kind: 'added', url: `${PAGE}2` })],
      omitted: 5,
      completedAt: second,
    });
    await run({ changes: [] });
    const { atomUrl, jsonUrl } = await feedOf();
    const atom = await open(atomUrl);
    expect(atom.headers['content-type']).toBe('application/atom+xml; charset=utf-8');
    expect(readAtom(atom.text)).toEqual({
      id: `urn:gleaner:${scheduleId}`,
      title: 'Prices <&>',
      updated: second.toISOString(),
      entries: [
        {
          id: `urn:gleaner:${two}:rule:0`,
          title: 'Cheap: Emma 18',
          at: second.toISOString(),
          url: `${PAGE}emma?a=1&b=2`,
          content: '<ul><li>Cheap: Emma 18</li></ul>',
          terms: ['rules', 'Cheap'],
        },
        expect.objectContaining({
          id: `urn:gleaner:${two}:rule:1`,
          content: '<ul><li>A 1</li><li>B 2</li></ul>',
        }),
        {
          id: `urn:gleaner:${two}:changes`,
          title: '1 changed, 1 added',
          at: second.toISOString(),
          url: PAGE,
          content: `<ul><li>title: 30 → x ${PAGE}</li><li>added: books[Emma] ${PAGE}2</li><li>and 5 more</li></ul>`,
          terms: ['changes'],
        },
        expect.objectContaining({
          id: `urn:gleaner:${one}:changes`,
          title: 'price.amount: 30 → 18',
          at: first.toISOString(),
        }),
      ],
    });
    const json = await open(jsonUrl);
    expect(json.headers['content-type']).toBe('application/feed+json; charset=utf-8');
    expect(JSON.parse(json.text)).toMatchObject({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Prices <&>',
      items: [
        { id: `urn:gleaner:${two}:rule:0`, url: `${PAGE}emma?a=1&b=2`, tags: ['rules', 'Cheap'] },
        { content_text: 'A 1\nB 2' },
        { title: '1 changed, 1 added', date_published: second.toISOString() },
        { title: 'price.amount: 30 → 18' },
      ],
    });
    const only = async (kind: string) => (await readJson(`${jsonUrl}&only=${kind}`)).items.length;
    expect([await only('rules'), await only('changes')]).toEqual([2, 2]);
  });

  it('quote hostile pages as texts', async () => {
    const titles = [
      'a ]]> b ]]><entry><title>injected</title></entry>',
      '<script>alert(1)</script> & "quoted" AT&amp;T',
      'a\u0001b\ud800c\ufffe',
    ];
    await run({
      messages: titles.map((title) => ({
        ...message(title),
        records: [{ record: '', url: 'javascript:x', values: [] }],
      })),
      changes: [change('title', { before: '<b>', after: 'line\nbreak\u202e' })],
    });
    const { atomUrl, jsonUrl } = await feedOf();
    const { entries } = readAtom((await open(atomUrl)).text);
    expect(entries.map(({ title }: { title: string }) => title)).toEqual([
      titles[0],
      titles[1],
      'a\ufffdb\ufffdc\ufffd',
      'title: <b> → line break',
    ]);
    expect(entries.map(({ url }: { url: unknown }) => url)).toEqual([null, null, null, PAGE]);
    expect(entries[1].content).toBe(
      '<ul><li>&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;quoted&quot; AT&amp;amp;T</li></ul>',
    );
    expect((await readJson(jsonUrl)).items).toHaveLength(4);
  });

  it('have at most a hundred entries', async () => {
    for (let index = 0; index < 3; index += 1) {
      await run({ messages: Array.from({ length: 45 }, (_, at) => message(`${index}.${at}`)) });
    }
    const { jsonUrl } = await feedOf();
    const { items } = await readJson(jsonUrl);
    expect(items).toHaveLength(100);
    expect([items[0].title, items[99].title]).toEqual(['2.0', '0.9']);
  });

  it('are answered with 304 while nothing is new', async () => {
    await run({ changes: [change('a')], completedAt: new Date('2126-01-02T10:00:00.500Z') });
    const { atomUrl } = await feedOf();
    const { headers } = await open(atomUrl);
    expect(headers['last-modified']).toBe('Wed, 02 Jan 2126 10:00:00 GMT');
    const [tag = '', since = ''] = [headers.etag, headers['last-modified']];
    for (const known of [{ 'if-none-match': tag }, { 'if-modified-since': since }]) {
      const answer = await open(atomUrl, known);
      expect([answer.status, answer.text]).toEqual([304, '']);
    }
    const other = { 'if-none-match': '"other"', 'if-modified-since': since };
    expect((await open(atomUrl, other)).status).toBe(200);
    expect((await open(atomUrl, { 'if-modified-since': 'yesterday' })).status).toBe(200);
    const head = await open(atomUrl, {}, 'HEAD');
    expect([head.status, head.text, head.headers.etag]).toEqual([200, '', tag]);
    await run({ changes: [change('b')], completedAt: new Date('2126-01-03T10:00:00.500Z') });
    for (const known of [{ 'if-none-match': tag }, { 'if-modified-since': since }]) {
      expect((await open(atomUrl, known)).status).toBe(200);
    }
  });

  it('are empty at first', async () => {
    const { atomUrl } = await feedOf();
    expect(readAtom((await open(atomUrl)).text)).toMatchObject({ title: 'Prices <&>', entries: [] });
  });
});

describe('the token of the feeds', () => {
  it('is shown to the owner, opens this schedule alone, and is replaced on request', async () => {
    const feed = await feedOf();
    expect(feed.token).toMatch(/^glf_[\w-]{32}$/);
    expect(await feedOf()).toEqual(feed);
    const other = await create();
    const wrong = [
      `/v1/schedules/${other}/feed.atom?token=${feed.token}`,
      `/v1/schedules/${scheduleId}/feed.json?token=glf_wrong`,
      `/v1/schedules/${scheduleId}/feed.json?token=`,
      `/v1/schedules/sch_none/feed.json?token=${feed.token}`,
    ];
    const messages = await Promise.all(
      wrong.map(async (path) => {
        const { status, text } = await open(path);
        return [status, JSON.parse(text).error.message];
      }),
    );
    const same = [401, expect.stringContaining('does not open this feed')];
    expect(messages).toEqual([same, same, same, same]);
    expect((await open(`/v1/schedules/${scheduleId}/feed.atom`)).status).toBe(401);
    const { json } = await ask(`/v1/schedules/${scheduleId}/feed/rotate`, { method: 'POST' });
    expect(json.feed.token).not.toBe(feed.token);
    expect((await open(feed.atomUrl)).status).toBe(401);
    expect((await open(json.feed.atomUrl)).status).toBe(200);
  });

  it('opens nothing but feeds', async () => {
    const { token } = await feedOf();
    expect((await open(`/v1/schedules/${scheduleId}?token=${token}`)).status).toBe(401);
    expect((await ask('/v1/schedules', { key: token })).status).toBe(401);
  });

  it('is not needed with an API key of the account', async () => {
    const path = `/v1/schedules/${scheduleId}/feed.json`;
    expect((await ask(path)).status).toBe(200);
    const stranger = await on.bed.createKey();
    expect((await ask(path, { key: stranger.key })).json.error.code).toBe('SCHEDULE_NOT_FOUND');
    expect((await ask(`/v1/schedules/${scheduleId}/feed`, { key: stranger.key })).status).toBe(404);
    const scrapes = await on.bed.createKey({ accountId: on.owner.accountId, scopes: ['scrape'] });
    expect((await ask(path, { key: scrapes.key })).json.error.code).toBe('FORBIDDEN');
  });

  it('is forgotten with the schedule', async () => {
    const { atomUrl } = await feedOf();
    expect((await ask(`/v1/schedules/${scheduleId}`, { method: 'DELETE' })).status).toBe(204);
    expect((await open(atomUrl)).status).toBe(401);
    expect(await on.bed.database.models.feeds.countDocuments({ _id: scheduleId })).toBe(0);
  });

  it('has a limit of its own, and is in no log', async () => {
    const gateway = await on.bed.startGateway({ RATE_LIMIT_READ: '2' });
    const { atomUrl, token } = await feedOf();
    for (const expected of [200, 200]) {
      expect((await send(gateway.url + atomUrl, {})).status).toBe(expected);
    }
    const refused = await send(gateway.url + atomUrl, {});
    expect(refused.status).toBe(429);
    expect(refused.text).toContain('The feed has reached its limit of 2 read requests');
    expect(refused.text).not.toContain('key');
    await open(`${atomUrl}&other=1`);
    expect(on.bed.logLines.join('\n')).not.toContain(token);
    expect(on.bed.logLines.join('\n')).toContain('readScheduleAtom');
  });

  it('is asked for by name if the address has lost it', async () => {
    const { status, text } = await open(`/v1/schedules/${scheduleId}/feed.atom`);
    expect(status).toBe(401);
    expect(text).toContain('The address of the feed has no token');
    expect(text).not.toContain('API key');
  });

  it('is checked before the query, whose errors are named', async () => {
    const { atomUrl } = await feedOf();
    const { status, text } = await open(`${atomUrl}&only=rule&only=rule`);
    expect(status).toBe(400);
    expect(text).toContain('must not be given more than once');
    expect((await open(`${atomUrl}&ony=rules`)).text).toContain('did you mean');
  });
});
