import { createId, settingsOf } from '@gleaner/contracts';
import { eventually } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { call } from './support/call.ts';
import { type SeededPage, seedJob } from './support/scripted-orchestrator.ts';
import { GONE, useGateway } from './support/use-gateway.ts';

const service = useGateway();
const { ask, raw } = service;

describe('GET /v1/jobs/:id/results', () => {
  const SEEDED = [
    { data: { title: 'Say "hi", twice', tags: ['a', 'b'], price: null } },
    { failure: GONE },
    { data: { title: '=1+1', tags: [], price: '3\n4' } },
  ];
  const OPTIONS = { selectors: { title: 'h1', tags: '.t::all', price: '.p' } };

  it('streams all as a JSON array, or as one JSON object per line', async () => {
    const { id } = await seedJob(service.bed.stores, service.owner.accountId, SEEDED, OPTIONS);
    const { json } = await ask(`/v1/jobs/${id}/results`);
    expect(json.map(({ data }: { data: unknown }) => data)).toEqual(SEEDED.map(({ data }) => data ?? null));
    const lines = await raw(`/v1/jobs/${id}/results?format=ndjson`);
    expect(lines.type).toContain('application/x-ndjson');
    expect(
      lines.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(json);
    expect((await raw(`/v1/jobs/${id}/results?format=ndjson&offset=2`)).text).toBe(
      lines.text.split('\n').slice(2).join('\n'),
    );
    expect((await ask(`/v1/jobs/${id}/results?offset=3`)).json).toEqual([]);
  });

  it('refuses an account more exports and lists than it may have at once, and no other account', async () => {
    // More than the buffers of a connection hold: one result, for the same URL many times.
    const pages = [{ data: { text: 'x'.repeat(700_000) } }, ...Array(40).fill({ copyOf: 0 })];
    const { stores } = service.bed;
    const own = await seedJob(stores, service.owner.accountId, pages);
    const others = await seedJob(stores, service.stranger.accountId, SEEDED, OPTIONS);
    const schedule = await stores.schedules.createSchedule({
      id: createId('sch'),
      accountId: service.owner.accountId,
      at: new Date(),
      nextRunAt: new Date(),
      settings: settingsOf({ url: 'https://example.com/', cron: '0 9 * * *' }),
    });
    const leaving = new AbortController();
    const open = () =>
      fetch(`${service.gateway.url}/v1/jobs/${own.id}/results`, {
        headers: { authorization: `Bearer ${service.owner.key}` },
        signal: leaving.signal,
      });
    // These are not read, so that they keep their places.
    const held = await Promise.all([1, 2, 3].map(open));
    expect(held.map(({ status }) => status)).toEqual([200, 200, 200]);
    const urls = `/v1/jobs/${own.id}/urls`;
    const refused = [urls, `/v1/jobs/${own.id}/changes`, `/v1/schedules/${schedule.id}/changes`];
    const [free, ...answers] = await Promise.all([
      ask(`/v1/jobs/${others.id}/results`, { key: service.stranger.key }),
      ...refused.map((path) => ask(path)),
    ]);
    expect(free.status).toBe(200);
    for (const { status, headers, json } of answers) {
      expect([status, headers['retry-after'], json.error?.code]).toEqual([429, '5', 'RATE_LIMITED']);
    }
    const waiting = ask(urls);
    await held[0]?.body?.cancel();
    expect((await waiting).status).toBe(200);
    leaving.abort();
    await eventually(async () => expect((await ask(urls)).status).toBe(200));
  });

  it('is read on connections of its own, as lists are, so that other calls find one free', async () => {
    const { database, stores } = service.bed;
    const { id } = await seedJob(stores, service.owner.accountId, SEEDED, OPTIONS);
    const comparison = { since: 'job_0', added: 1, removed: 0, changed: 0, stored: 1, omitted: 0 };
    await database.models.jobs.updateOne({ _id: id }, { comparison: { ...comparison, keysJson: '{}' } });
    const read = new Set<unknown>();
    const client = database.models.jobs.db.getClient();
    client.on('commandStarted', ({ command }) => read.add(command.find));
    for (const list of ['results', 'urls', 'changes']) {
      expect(await ask(`/v1/jobs/${id}/${list}`)).toMatchObject({ status: 200 });
    }
    expect(read).toContain('jobs');
    for (const collection of ['pages', 'results', 'changes']) expect(read).not.toContain(collection);
    await ask(`/v1/jobs/${id}`);
    expect(read).toContain('results');
  });

  it('selects the results of pages of some kinds, in every format', async () => {
    const pages: readonly SeededPage[] = [
      { data: { title: 'A' }, verdict: 'content' },
      { data: { title: 'Sign in' }, verdict: 'login' },
      { failure: GONE },
      { data: { title: 'Are you a robot?' }, verdict: 'wall' },
      { copyOf: 1 },
      { data: { title: 'Of an older version' } },
    ];
    const options = { selectors: { title: 'h1' } };
    const { id } = await seedJob(service.bed.stores, service.owner.accountId, pages, options);
    const titlesAt = async (query: string) =>
      (await ask(`/v1/jobs/${id}/results?${query}`)).json.map(
        ({ data }: { data: { title: string } | null }) => data?.title,
      );
    expect(await titlesAt('verdict=login')).toEqual(['Sign in', 'Sign in']);
    expect(await titlesAt('verdict=login,wall&offset=1')).toEqual(['Are you a robot?', 'Sign in']);
    expect(await titlesAt('verdict=content')).toEqual(['A']);
    expect(await titlesAt('verdict=empty')).toEqual([]);
    const lines = await raw(`/v1/jobs/${id}/results?format=ndjson&verdict=wall`);
    expect(JSON.parse(lines.text)).toMatchObject({ data: { title: 'Are you a robot?' } });
    const csv = await raw(`/v1/jobs/${id}/results?format=csv&verdict=login&columns=title,verdict`);
    expect(csv.text).toBe('title,verdict\r\nSign in,login\r\nSign in,login\r\n');
    const all = await raw(`/v1/jobs/${id}/results?format=csv&pages=all`);
    const kinds = all.text
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(',').at(-1));
    expect(kinds).toEqual(['verdict', 'content', 'login', '', 'wall', 'login', '']);
    const part = await ask(`/v1/jobs/${id}?verdict=login,wall&resultsLimit=2`);
    expect(part.json.job).toMatchObject({
      results: [{ data: { title: 'Sign in' } }, { data: { title: 'Are you a robot?' } }],
      resultsPagination: { total: 3, hasMore: true },
    });
  });

  it.each([
    ['login,wal', 'verdict.1', 'did you mean "wall"?'],
    ['', 'verdict.0', 'must be one of: content, wall, login'],
    ['login,login', 'verdict', 'must not hold the same entry twice'],
  ])('refuses the kinds "%s"', async (kinds, path, message) => {
    const { id } = await seedJob(service.bed.stores, service.owner.accountId, SEEDED, OPTIONS);
    for (const route of ['', '/results', '/urls']) {
      const { status, json } = await ask(`/v1/jobs/${id}${route}?verdict=${kinds}`);
      expect([status, json.error.details]).toEqual([
        400,
        [{ path, message: expect.stringContaining(message) }],
      ]);
    }
  });

  it('streams CSV whose cells spreadsheets do not run as formulas', async () => {
    const { id } = await seedJob(service.bed.stores, service.owner.accountId, SEEDED, OPTIONS);
    const { type, text } = await raw(`/v1/jobs/${id}/results?format=csv`);
    expect(type).toContain('text/csv');
    expect(text).toBe(
      [
        'title,tags,price,url',
        '"Say ""hi"", twice","[""a"",""b""]",,https://example.com/0',
        `'=1+1,[],"3\n4",https://example.com/2`,
        '',
      ].join('\r\n'),
    );
  });

  it('chooses the columns of a CSV and their order, and names none twice', async () => {
    const options = {
      selectors: { url: 'a', error: 'b', cards: { selector: 'i', all: true, fields: { url: 'c' } } },
    };
    const pages = [
      { data: { url: 'u', error: 'e', cards: [{ url: 'c1' }] } },
      { data: { url: 'u', error: 'e', cards: [] } },
    ];
    const { id } = await seedJob(service.bed.stores, service.owner.accountId, pages, options);
    const csv = async (query: string) =>
      (await raw(`/v1/jobs/${id}/results?format=csv&${query}`)).text.trimEnd().split('\r\n');
    expect(await csv('rows=cards&pages=all')).toEqual([
      'url,error,cards.url,pageUrl,pageError,errorMessage,errorSuggestion,targetStatusCode,verdict',
      'u,e,c1,https://example.com/0,,,,,',
      'u,e,,https://example.com/1,,,,,',
    ]);
    expect(await csv('rows=cards')).toEqual(['url,error,cards.url,pageUrl', 'u,e,c1,https://example.com/0']);
    expect(await csv('rows=cards&columns=pageUrl,cards.url')).toEqual([
      'pageUrl,cards.url',
      'https://example.com/0,c1',
    ]);
    const unknown = await ask(`/v1/jobs/${id}/results?format=csv&columns=url,nope`);
    expect(unknown.json.error.details).toMatchObject([
      { path: 'columns', message: expect.stringContaining('"nope"') },
    ]);
    const json = await ask(`/v1/jobs/${id}/results?columns=url`);
    expect(json.json.error.details).toMatchObject([{ path: 'columns' }]);
  });

  describe('as CSV', () => {
    const HEAD = 'url,error,errorMessage,errorSuggestion,targetStatusCode,verdict';
    const CARDS = {
      selector: '.card',
      all: true,
      fields: { name: 'h2', tags: '.t::all', by: { selector: '.by', fields: { name: 'b' } } },
    };
    const OPTIONS_OF_LISTS = {
      selectors: {
        heading: 'h1',
        shop: { selector: '.shop', fields: { name: 'b', aisles: { ...CARDS, fields: { items: CARDS } } } },
        cards: CARDS,
        links: 'a::attr(href)::all',
      },
    };
    const card = (name: string) => ({ name, tags: ['x'], by: { name: `by ${name}` } });
    const PAGES = [
      {
        data: {
          heading: 'H',
          shop: { name: 'S', aisles: [{ items: [card('i'), card('j')] }, { items: [] }] },
          cards: [card('a'), card('b')],
          links: ['/1', '/2'],
        },
      },
      { failure: GONE },
      { data: { heading: 'none', shop: null, cards: [], links: [] } },
    ];

    async function linesOf(query: string, options: object = OPTIONS_OF_LISTS, pages: SeededPage[] = PAGES) {
      const { id } = await seedJob(service.bed.stores, service.owner.accountId, pages, options);
      const { text } = await raw(`/v1/jobs/${id}/results?${query}&pages=all`);
      expect(text.endsWith('\r\n')).toBe(true);
      const lines = text.trimEnd().replaceAll('https://example.com/', '/').split('\r\n');
      // What is known of the page stands behind its fields.
      return lines.map((line) => line.replace(/^(.*),((?:[^,]*,){5}[^,]*)$/, '$2,$1'));
    }

    it('gives the fields of a record columns of their own, and writes lists as JSON', async () => {
      const [head, first, ...others] = await linesOf('format=csv');
      expect(head).toBe(`${HEAD},heading,shop.name,shop.aisles,cards,links`);
      expect(first).toMatch(
        /^\/0,,,,,,H,S,"\[\{""items"".*\]","\[\{""name"":""a"".*\]","\[""\/1"",""\/2""\]"$/,
      );
      expect(others).toEqual([
        `/1,NOT_FOUND,${GONE.message},${GONE.suggestion},410,,,,,,`,
        '/2,,,,,,none,,,[],[]',
      ]);
    });

    it('writes a row for each record of a list, and one for a page without records', async () => {
      const [head, ...lines] = await linesOf('format=csv&rows=cards');
      expect(head).toBe(`${HEAD},heading,shop.name,shop.aisles,name,tags,by.name,links`);
      expect(lines.map((line) => line.replace(/"\[\{""items"".*?\]\}\]"/, 'AISLES'))).toEqual([
        '/0,,,,,,H,S,AISLES,a,"[""x""]",by a,"[""/1"",""/2""]"',
        '/0,,,,,,H,S,AISLES,b,"[""x""]",by b,"[""/1"",""/2""]"',
        `/1,NOT_FOUND,${GONE.message},${GONE.suggestion},410,,,,,,,,`,
        '/2,,,,,,none,,,,,,[]',
      ]);
    });

    it('writes rows of a list in another list, and of a list of texts', async () => {
      const nested = await linesOf('format=csv&rows=shop.aisles.items');
      expect(nested[0]).toContain(',shop.name,name,tags,');
      expect(nested.slice(1).map((line) => line.slice(0, 15))).toEqual([
        '/0,,,,,,H,S,i,"',
        '/0,,,,,,H,S,j,"',
        '/0,,,,,,H,S,,,,',
        expect.stringMatching(/^\/1,NOT_FOUND/),
        '/2,,,,,,none,,,',
      ]);
      const texts = await linesOf('format=csv&rows=links');
      expect(texts.slice(1).map((line) => line.slice(line.lastIndexOf(',') + 1))).toEqual([
        '/1',
        '/2',
        '',
        '',
      ]);
      expect(
        await linesOf('format=csv&rows=links', {}, [{ data: { title: 'T', links: ['/a', '/b'] } }]),
      ).toEqual([`${HEAD},title,description,text,links`, '/0,,,,,,T,,,/a', '/0,,,,,,T,,,/b']);
    });

    it('has a column for each format', async () => {
      const options = { formats: [{ type: 'text', main: true }, 'links'] };
      const formats = { text: '=x', links: [{ url: '/', text: null, rel: null }] };
      expect(await linesOf('format=csv', options, [{ formats }, { failure: GONE }])).toEqual([
        `${HEAD},formats.text,formats.links`,
        `/0,,,,,,'=x,"[{""url"":""/"",""text"":null,""rel"":null}]"`,
        `/1,NOT_FOUND,${GONE.message},${GONE.suggestion},410,,,`,
      ]);
      const withBoth = await linesOf('format=csv', { ...options, selectors: { title: 'h1' } }, [
        { data: { title: 'T' }, formats },
      ]);
      expect(withBoth[0]).toBe(`${HEAD},title,formats.text,formats.links`);
    });

    it('splits prices, also those of rows, but not lists of prices', async () => {
      const price = { selector: '.p', type: 'price', default: 0 };
      const options = {
        selectors: { low: price, all: { ...price, all: true }, cards: { ...CARDS, fields: { price } } },
      };
      const data = {
        low: { amount: -1.5, currency: 'EUR' },
        all: [{ amount: 1, currency: null }],
        cards: [{ price: { amount: 2, currency: null } }, { price: 0 }],
      };
      expect(await linesOf('format=csv&rows=cards', options, [{ data }])).toEqual([
        `${HEAD},low.amount,low.currency,all,price.amount,price.currency`,
        '/0,,,,,,-1.5,EUR,"[{""amount"":1,""currency"":null}]",2,',
        '/0,,,,,,-1.5,EUR,"[{""amount"":1,""currency"":null}]",0,',
      ]);
    });

    it('writes numbers and booleans as they are', async () => {
      const data = { low: -5.5, is: true, text: '-5.5' };
      const options = { selectors: { low: 'a', is: 'b', text: 'c' } };
      expect((await linesOf('format=csv', options, [{ data }]))[1]).toBe("/0,,,,,,-5.5,true,'-5.5");
    });

    it.each([
      ['csv', 'shop', 'must be one of the lists of this job: shop.aisles, shop.aisles.items, shop.aisles.'],
      ['csv', 'nothing', 'must be one of the lists of this job: shop.aisles, '],
      ['json', 'cards', 'is for CSV and Parquet: add format=csv or format=parquet'],
    ])('rejects rows with format=%s and rows=%s', async (format, rows, message) => {
      const { id } = await seedJob(service.bed.stores, service.owner.accountId, PAGES, OPTIONS_OF_LISTS);
      const { json } = await ask(`/v1/jobs/${id}/results?format=${format}&rows=${rows}`);
      expect(json.error.code).toBe('INVALID_REQUEST');
      expect(json.error.details).toEqual([{ path: 'rows', message: expect.stringContaining(message) }]);
    });

    it('says that a job without lists has no rows', async () => {
      const { id } = await seedJob(service.bed.stores, service.owner.accountId, PAGES, {
        selectors: { title: 'h1' },
      });
      const { json } = await ask(`/v1/jobs/${id}/results?format=csv&rows=title`);
      expect(json.error.message).toBe('rows must name a list, and no field of this job is one.');
    });
  });

  it.each([
    ['text/csv', 'text/csv', 'csv'],
    ['application/x-ndjson', 'application/x-ndjson', 'ndjson'],
    ['application/json;q=0.5, text/csv;q=0.8', 'text/csv', 'csv'],
    ['text/csv;q=0, */*', 'application/json', 'json'],
    ['text/html', 'application/json', 'json'],
  ])('chooses the format by Accept: %s', async (accept, type, extension) => {
    const { id } = await seedJob(service.bed.stores, service.owner.accountId, SEEDED, OPTIONS);
    const headers = { authorization: `Bearer ${service.owner.key}`, accept };
    const response = await fetch(`${service.gateway.url}/v1/jobs/${id}/results`, { headers });
    expect(response.headers.get('content-type')).toContain(type);
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${id}.${extension}"`);
    const chosen = await fetch(`${service.gateway.url}/v1/jobs/${id}/results?format=ndjson`, { headers });
    expect(chosen.headers.get('content-type')).toContain('application/x-ndjson');
    await Promise.all([response.text(), chosen.text()]);
  });

  it('answers an empty array while no page has finished, and rejects unknown formats', async () => {
    const { id } = await seedJob(service.bed.stores, service.owner.accountId, ['waiting']);
    expect((await ask(`/v1/jobs/${id}/results`)).json).toEqual([]);
    expect((await ask(`/v1/jobs/${id}/results?format=xml`)).json.error.code).toBe('INVALID_REQUEST');
  });
});

describe('GET /v1/jobs/:id/results/:index/screenshot', () => {
  const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(3_000_000, 'pixels')]);
  const SEEDED = [{ data: { title: 'A' } }, { data: { title: 'B' }, screenshot: PNG }, 'waiting'] as const;
  const OPTIONS = { screenshot: true, selectors: { title: 'h1' } };

  it('sends the image, and 304 when the client has it', async () => {
    const { id } = await seedJob(service.bed.stores, service.owner.accountId, SEEDED, OPTIONS);
    const { json } = await ask(`/v1/jobs/${id}`);
    const [, { screenshotUrl }] = json.job.results;
    const authorization = `Bearer ${service.owner.key}`;
    const first = await fetch(service.gateway.url + screenshotUrl, { headers: { authorization } });
    expect(Buffer.from(await first.arrayBuffer()).equals(PNG)).toBe(true);
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(PNG.length),
      'cache-control': 'private, no-cache',
      etag: expect.stringMatching(/^"\w+"$/),
    });
    const known = { authorization, 'if-none-match': `"other", W/${first.headers.get('etag')}` };
    const again = await fetch(service.gateway.url + screenshotUrl, { headers: known });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const head = await fetch(service.gateway.url + screenshotUrl, {
      method: 'HEAD',
      headers: { authorization },
    });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(PNG.length)]);
  });

  it('sends the image of equal URLs at each of their indexes', async () => {
    const seeded = [{ data: {}, screenshot: PNG }, { copyOf: 0 }] as const;
    const { id } = await seedJob(service.bed.stores, service.owner.accountId, seeded, OPTIONS);
    const headers = { authorization: `Bearer ${service.owner.key}` };
    const image = await fetch(`${service.gateway.url}/v1/jobs/${id}/results/1/screenshot`, { headers });
    expect(Buffer.from(await image.arrayBuffer()).equals(PNG)).toBe(true);
  });

  it('has a column in CSV when screenshots were requested', async () => {
    const { id } = await seedJob(service.bed.stores, service.owner.accountId, SEEDED, OPTIONS);
    const { text } = await raw(`/v1/jobs/${id}/results?format=csv`);
    expect(text.split('\r\n')).toEqual([
      'title,url,screenshotUrl',
      'A,https://example.com/0,',
      `B,https://example.com/1,/v1/jobs/${id}/results/1/screenshot`,
      '',
    ]);
  });

  it.each(['0', '2', '3', '01', '-1', '1.0', '99999', '100000', 'x', '%00'])(
    'is not found at the index %s',
    async (index) => {
      const { id } = await seedJob(service.bed.stores, service.owner.accountId, SEEDED, OPTIONS);
      const { status, json } = await ask(`/v1/jobs/${id}/results/${index}/screenshot`);
      expect([status, json.error.code]).toEqual([404, 'SCREENSHOT_NOT_FOUND']);
    },
  );

  it('is not visible to other accounts, and needs a key with the scope', async () => {
    const { id } = await seedJob(service.bed.stores, service.owner.accountId, SEEDED, OPTIONS);
    const path = `/v1/jobs/${id}/results/1/screenshot`;
    const { key: scopeless } = await service.bed.createKey({
      accountId: service.owner.accountId,
      scopes: ['scrape'],
    });
    const codes = await Promise.all([
      ask(path, { key: service.stranger.key }),
      ask('/v1/jobs/job_none/results/1/screenshot'),
      ask(path, { key: scopeless }),
      call(service.gateway.url + path),
    ]);
    expect(codes.map(({ json }) => json.error.code)).toEqual([
      'JOB_NOT_FOUND',
      'JOB_NOT_FOUND',
      'FORBIDDEN',
      'UNAUTHORIZED',
    ]);
  });
});
