import { brotliDecompressSync } from 'node:zlib';
import type { Capture } from '@gleaner/contracts';
import {
  type Action,
  defined,
  engineFor,
  purposeOf,
  type ScrapeReply,
  type SealedSecret,
} from '@gleaner/contracts';
import { createSecretBox } from '@gleaner/service-kit';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { logging as page } from './acting.ts';
import { describeWithBrowser } from './browser-tests.ts';
import { crawlPage } from './crawled-page.ts';
import { startFocusFight } from './focus-fight.ts';
import { ENCODERS } from './secret-encoders.ts';
import { startTestScraper, type TestScraper } from './start-test-scraper.ts';

const SECRETS_KEY = 'k'.repeat(40);
const VALUE = 'correct & "horse" 9';

/** Values that have every printable character between them. */
const VALUES = [
  `!"#$%&'()*+,-./`,
  '0123456789:;<=>?@',
  'ABCDEFGHIJKLM-nopq',
  'NOPQRSTUVWXYZ[\\]^_`',
  'abcdefghijklm{|}~ nz',
  'pässwörd – 日本 😀 7',
];

/** Returns the names of the forms of a value that are in a text. */
function formsIn(text: string, value: string): string[] {
  return Object.entries(ENCODERS).flatMap(([name, encode]) => (text.includes(encode(value)) ? [name] : []));
}

await describeWithBrowser('the secrets of actions', (settings) => {
  let scraper: TestScraper;

  beforeAll(async () => {
    scraper = await startTestScraper({ ...settings, SECRETS_KEY });
  });
  afterAll(async () => {
    await scraper[Symbol.asyncDispose]();
  });

  function sealed(
    value: string,
    { key = SECRETS_KEY, origins }: { key?: string; origins?: string[] } = {},
  ): SealedSecret {
    const named = { name: 'shop', ...defined({ origins }) };
    return { ...named, sealed: createSecretBox(key)?.seal(purposeOf('acc_test', named), value) ?? '' };
  }

  const FORM = page(
    '<form action="/type"><input type=hidden name=as value=text/html><input type=hidden name=hex value=2e><input id=p name=p type=password></form>',
    "$('#p').oninput = () => { log($('#p').value.length); document.title = $('#p').value; $('form').setAttribute('data-value', $('#p').value); };",
  );
  const FILL: Action = { fill: '#p', value: { secret: 'shop' } };

  async function scrape(
    actions: readonly Action[],
    secrets: readonly SealedSecret[],
    { path = FORM, ...options }: { path?: string; capture?: Capture; stepScreenshots?: boolean } = {},
  ): Promise<ScrapeReply> {
    const request = {
      url: scraper.origin.url + path,
      ...options,
      actions,
      snapshot: true,
      formats: ['html' as const, 'metadata' as const],
      selectors: { log: '#log', title: 'title', value: 'form::attr(data-value)' },
    };
    const broker = await scraper.connect();
    try {
      const timeoutMs = 240_000;
      const deadlineMs = Date.now() + timeoutMs;
      const command = { requestId: 'req_1', accountId: 'acc_test', deadlineMs, timeoutMs, request };
      const options = { deadlineMs, graceMs: 30_000 };
      return await broker.request(
        `scrape.${engineFor(request)}`,
        { ...command, secrets: [...secrets] },
        options,
      );
    } finally {
      await broker.close();
    }
  }

  it('are written into fields, and hidden in everything that is read', async () => {
    const reply = await scrape([FILL], [sealed(VALUE)]);
    const result = reply.ok ? reply.result : undefined;
    expect(JSON.parse(result?.dataJson ?? '')).toEqual({
      log: `${VALUE.length}`,
      title: '[redacted]',
      value: '[redacted]',
    });
    expect(result?.actions).toMatchObject([{ outcome: 'done' }]);
    const { snapshot, ...shown } = result ?? {};
    expect(JSON.stringify(shown)).not.toMatch(/horse/);
    const source = brotliDecompressSync(Buffer.from(snapshot?.source ?? '', 'base64')).toString();
    expect(source).toContain('[redacted]');
    expect(source).not.toMatch(/horse/);
  });

  it('are hidden in URLs', async () => {
    const reply = await scrape([FILL, { press: 'Enter' }], [sealed(VALUE)]);
    const result = reply.ok ? reply.result : undefined;
    expect(result?.finalUrl).toContain('p=[redacted]');
    expect(result?.actions?.[1]?.url).toContain('p=[redacted]');
    expect(scraper.origin.requests.some(({ url }) => url.includes('horse'))).toBe(true);
    expect(JSON.stringify(reply)).not.toMatch(/horse/);
    expect(scraper.logLines.join()).not.toMatch(/horse/);
  });

  it('are hidden in captured responses and in their URLs', async () => {
    const form = page(
      '<input id=p>',
      "$('#p').oninput = () => fetch('/echo?p=' + encodeURIComponent($('#p').value));",
    );
    const capture = { echo: { url: '/echo*', wait: 1 } };
    const reply = await scrape([FILL], [sealed(VALUE)], { path: form, capture });
    const { echo } = JSON.parse(reply.ok ? (reply.result.capturedJson ?? '') : '');
    expect(echo).toMatchObject([{ url: expect.stringContaining('[redacted]'), json: { method: 'GET' } }]);
    expect(JSON.stringify(echo)).not.toMatch(/horse/);
    expect(scraper.origin.requests.some(({ url }) => /echo.*horse/.test(url))).toBe(true);
  });

  it('are in no form in anything that leaves the scraper, whatever characters they have', async () => {
    const forms = page(
      '<form action="/type"><input type=hidden name=as value=text/html><input type=hidden name=hex value=2e><input id=p name=p></form><div id=out></div>',
      `const hex = (unit) => unit.toString(16).padStart(4, '0');
      $('#p').oninput = async ({ target: { value } }) => {
        const units = [...Array(value.length).keys()].map((at) => value.charCodeAt(at));
        const forms = [value, JSON.stringify(value), JSON.stringify(JSON.stringify(value)), encodeURIComponent(value), encodeURI(value),
          encodeURIComponent(value).toLowerCase(), escape(value), String(new URLSearchParams({ value })), value.normalize('NFD'), CSS.escape(value),
          units.map((unit) => '\\\\u' + hex(unit)).join(''), units.map((unit) => '&#' + unit + ';').join(''), 'Basic ' + btoa(unescape(encodeURIComponent('ada:' + value))),
          value.toUpperCase(), value.split('').join('')];
        const json = JSON.stringify({ forms, [value]: value, url: location.href + '?' + encodeURIComponent(value) }).replaceAll('/', '\\\\/');
        $('#out').title = json;
        $('#out').textContent = json;
        $('#out').append(...forms.map((form) => Object.assign(document.createElement('p'), { textContent: form, title: form })));
        const script = Object.assign(document.createElement('script'), { type: 'application/ld+json', textContent: json.replaceAll('<', '\\\\u003c') });
        document.body.append(script, document.createComment(value.replaceAll('-', '')), document.createComment(' ' + value));
        document.title = value;
        history.replaceState(null, '', location.pathname + location.search + '#' + encodeURIComponent(value));
        const headers = { authorization: 'Basic ' + btoa(unescape(encodeURIComponent('ada:' + value))), 'x-json': JSON.stringify(value).replace(/[^ -~]/g, '') };
        await fetch('/echo?p=' + encodeURIComponent(value), { method: 'POST', body: json, headers });
      };`,
    );
    const capture = { echo: { url: '/echo*', wait: 1 } };
    for (const value of VALUES) {
      const reply = await scrape([FILL], [sealed(value)], { path: forms, capture });
      const result = reply.ok ? reply.result : undefined;
      expect(reply).toMatchObject({ ok: true });
      expect(JSON.parse(result?.dataJson ?? '')).toMatchObject({ title: '[redacted]' });
      const { snapshot, ...shown } = result ?? {};
      const source = brotliDecompressSync(Buffer.from(snapshot?.source ?? '', 'base64')).toString();
      expect(() => JSON.parse(result?.capturedJson ?? '')).not.toThrow();
      const seen = [
        JSON.stringify(shown),
        result?.dataJson,
        result?.formatsJson,
        result?.capturedJson,
        source,
        ...scraper.logLines,
      ].join('\n');
      expect(formsIn(seen, value)).toEqual([]);
    }
  });

  it('that are short are hidden where they stand alone', async () => {
    const reply = await scrape([FILL], [sealed('1234')]);
    expect(JSON.parse(reply.ok ? (reply.result.dataJson ?? '') : '')).toMatchObject({
      log: '4',
      value: '[redacted]',
    });
  });

  it('are written and hidden whatever characters they have', async () => {
    const value = `Cat-'9'/"$&%{}[]()|^*+?.\\ä😀`;
    const reply = await scrape([FILL, { press: 'Enter' }], [sealed(value)]);
    expect(reply).toMatchObject({ ok: true, result: { finalUrl: expect.stringContaining('[redacted]') } });
    const sent = URL.parse(scraper.origin.requests.at(-1)?.url ?? '', scraper.origin.url);
    expect(sent?.searchParams.get('p')).toBe(value);
    const shown = JSON.stringify([reply, scraper.logLines]);
    expect(shown).not.toContain(`Cat-`);
  });

  it.each<[string, string, object]>([
    ['leads elsewhere', page('', "location.replace('/product/9')"), { kind: 'redirected' }],
    ['is a file', '/type?as=image/png&hex=00', { kind: 'notDocument' }],
  ])('leave a page of a crawl that %s what it is', async (_name, path, outcome) => {
    const options = { actions: [FILL], command: { secrets: [sealed(VALUE)] } };
    expect(await crawlPage(scraper, scraper.origin, path, { options })).toMatchObject(outcome);
  });

  it('are on no image of the page, nor is anything of its document', async () => {
    const actions: Action[] = [{ waitFor: '#p' }, FILL, { waitFor: 0 }, { press: 'Enter' }];
    const reply = await scrape(actions, [sealed(VALUE)], { stepScreenshots: true });
    const images = reply.ok ? reply.result.attempts.at(-1)?.stepScreenshots : undefined;
    expect(images?.map(({ index }) => index)).toEqual([0, 3]);
  });

  it.each<[string, string, string, string]>([
    ['a text', '<input>', 'a b & c', 'beforeinput:false input:true '],
    ['a password', '<input type=password>', 'a b & c', 'beforeinput:false input:true '],
    ['a number', '<input type=number>', '123456', 'beforeinput:false input:true '],
    ['several lines', '<textarea></textarea>', 'a\nb', 'beforeinput:false input:true input:true input:true '],
    ['a text that is edited', '<div contenteditable>old</div>', 'a b & c', 'beforeinput:false input:true '],
    ['a date', '<input type=date>', '2026-11-27', 'input:false change:false '],
    [
      'a field that gives the focus away',
      '<input onfocus=blur()>',
      'a b & c',
      'beforeinput:false input:false change:false ',
    ],
    ['a field that had a text', '<input value=old>', 'a b & c', 'beforeinput:false input:true '],
  ])('are written into %s, with the events of input', async (_name, field, value, events) => {
    const form = page(
      field,
      `const target = document.body.firstElementChild;
      // As React does, to tell changes by the page from those by people.
      const own = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(target), 'value');
      if (own) Object.defineProperty(target, 'value', { ...own, set(value) { log('by script'); own.set.call(this, value); } });
      for (const name of ['beforeinput', 'input', 'change'])
        target.addEventListener(name, ({ type, isTrusted }) => log(type + ':' + isTrusted));
      target.addEventListener('input', () => {
        const text = target.value ?? target.innerText;
        document.title = text === ${JSON.stringify(value)} ? 'right' : 'wrong ' + JSON.stringify(text);
      });`,
    );
    const reply = await scrape(
      [{ fill: 'body > :first-child', value: { secret: 'shop' } }],
      [sealed(value)],
      { path: form },
    );
    const { log, title } = JSON.parse(reply.ok ? (reply.result.dataJson ?? '') : '');
    expect({ log: `${log} `, title }).toEqual({ log: events, title: 'right' });
  });

  it('are chosen, and are never a part of an expression or an error', async () => {
    const select: Action = { select: 'select', value: { secret: 'shop' } };
    const options = (value: string) =>
      page(`<select><option>none</option><option value="${value}">one</option></select>`);
    expect(await scrape([select], [sealed('kettle-77')], { path: options('kettle-77') })).toMatchObject({
      ok: true,
    });
    const reply = await scrape([select], [sealed('kettle-77')], { path: options('other') });
    expect(reply).toMatchObject({ ok: false, failure: { code: 'ACTION_FAILED' } });
    expect(JSON.stringify([reply, scraper.logLines])).not.toContain('kettle-77');
  });

  it('never reach a frame of another origin, whatever has the focus', async () => {
    await using site = await startFocusFight(settings);
    expect(await site.fight(20)).toEqual({ right: 20, wrong: 0 });
    expect(site.stolen()).toEqual([]);
  });

  it('are written into frames of their origins alone', async () => {
    const fill: Action = { fill: 'input', value: { secret: 'shop' }, frame: 'iframe' };
    const framed = (attributes: string) =>
      page(
        `<iframe ${attributes} srcdoc='<input oninput="parent.postMessage(value.length, \`*\`)">'></iframe>`,
        "addEventListener('message', ({ data }) => log(data));",
      );
    const reply = await scrape([fill], [sealed(VALUE)], { path: framed('') });
    expect(reply).toMatchObject({ ok: true });
    expect(JSON.parse(reply.ok ? (reply.result.dataJson ?? '') : '')).toMatchObject({
      log: `${VALUE.length}`,
    });
    const other = await scrape([fill], [sealed(VALUE)], { path: framed('sandbox="allow-scripts"') });
    const message = '"input": the page is of an origin that the secret is not for';
    expect(other).toMatchObject({ ok: false, failure: { details: [{ path: 'actions.0', message }] } });
  });

  it.each<[string, () => readonly SealedSecret[], string]>([
    ['are not there', () => [], 'the secret for it is not there any more'],
    [
      'were encrypted with another key',
      () => [sealed(VALUE, { key: 'l'.repeat(40) })],
      'another SECRETS_KEY',
    ],
    [
      'are for other origins',
      () => [sealed(VALUE, { origins: ['https://shop.example'] })],
      'of an origin that the secret is not for',
    ],
    [
      'were moved to other origins',
      () => [{ ...sealed(VALUE), origins: [scraper.origin.url] }],
      'the secret for it is not there any more',
    ],
  ])('that %s are not written', async (_name, secrets, message) => {
    const reply = await scrape([FILL], secrets());
    expect(reply).toMatchObject({
      ok: false,
      failure: {
        code: 'ACTION_FAILED',
        details: [{ path: 'actions.0', message: expect.stringContaining(message) }],
      },
    });
  });
});
