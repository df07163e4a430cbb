import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serveHttp } from '@gleaner/mcp';
import {
  eventually,
  type Site,
  startSite,
  startWebhookReceiver,
  type WebhookReceiver,
} from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { HAS_BROWSER, type TestStack } from '../stack/test/test-stack.ts';
import { joinStack } from './join-stack.ts';

/** Words of the secret, found nowhere else: they are there whatever an encoding makes of the other characters. */
const WORDS = ['Zq7xKv9w', 'Jp3mTr6h', 'Wd8sNb4k'] as const;
const [FIRST, SECOND, THIRD] = WORDS;
const SECRET = `${FIRST}-"${SECOND}' 5% <&> ${THIRD}/+Qü9…日ß\\`;

type Write = (text: string) => string;

const each =
  (write: (unit: string) => string): Write =>
  (text) =>
    text.split('').map(write).join('');
const hexOf = (unit: string, digits: number) => unit.charCodeAt(0).toString(16).padStart(digits, '0');
const markup: Write = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const json: Write = (text) => JSON.stringify(text).slice(1, -1);

/** Forms in which a page writes the secret. */
const FORMS: readonly Write[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => text.normalize('NFD'),
  encodeURIComponent,
  (text) => encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
  (text) => encodeURIComponent(encodeURIComponent(text)),
  (text) => Buffer.from(text).toString('hex').replace(/../g, '%$&'),
  (text) => new URLSearchParams({ text }).toString().slice('text='.length),
  markup,
  (text) => markup(markup(text)),
  each((unit) => `&#${unit.charCodeAt(0)};`),
  each((unit) => `&#x${hexOf(unit, 2)};`),
  json,
  (text) => json(json(text)),
  (text) => json(text).replaceAll('/', '\\/'),
  each((unit) => `\\u${hexOf(unit, 4)}`),
  each((unit) => (unit > '\xff' ? `\\u${hexOf(unit, 4)}` : `\\x${hexOf(unit, 2)}`)),
  each((unit) => `\\${hexOf(unit, 1)} `),
  (text) => Buffer.from(text).toString('base64'),
  (text) => Buffer.from(text).toString('base64url'),
  (text) => `Basic ${Buffer.from(`ada:${text}`).toString('base64')}`,
  (text) => `Basic ${Buffer.from(`user:${text}`).toString('base64')}`,
  (text) => Buffer.from(text).toString('hex'),
  (text) => Buffer.from(text).toString('hex').toUpperCase(),
];
/** Number of forms with each character by itself: the form of the secret has the forms of its words. */
const BY_CHARACTER = FORMS.length - 6;
/** Forms of the words, and parts of encodings of the whole, in lower case: each way to write the secret has one of them. */
const TRACES = [
  ...new Set(
    [
      ...WORDS.flatMap((word) => FORMS.slice(0, BY_CHARACTER).map((write) => write(word))),
      ...WORDS.map((word) => Buffer.from(word).toString('hex')),
      // What stands before the secret shifts its base64 by one or two characters.
      ...['', '-', '--'].map((before) =>
        Buffer.from(before + SECRET)
          .toString('base64')
          .slice(4, 20),
      ),
    ].map((trace) => trace.toLowerCase()),
  ),
];

/** Returns the traces of the secret in a text or in JSON. */
function tracesIn(text: string): string[] {
  const folded = text.toLowerCase().replaceAll(/\\+/g, '\\');
  return TRACES.filter((trace) => folded.includes(trace));
}

/** A page with a form: it sends the value to its site, and shows the answer in many places. */
const PAGE = `<!doctype html><meta charset="utf-8"><title>Sign in</title>
<input id="secret" type="password"><button id="go">Go</button><a id="link">next</a><div id="echo"></div>
<script>
document.querySelector('#go').onclick = async () => {
  const { value } = document.querySelector('#secret');
  const body = JSON.stringify({ value });
  const { html, forms } = await (await fetch('/echo?v=' + encodeURIComponent(value), { method: 'POST', body })).json();
  const echo = document.querySelector('#echo');
  echo.innerHTML = html;
  for (const form of forms)
    echo.append(Object.assign(document.createElement('p'), { className: 'form', textContent: form, title: form }));
  const data = Object.assign(document.createElement('script'), { type: 'application/ld+json', textContent: JSON.stringify({ '@type': 'Thing', name: value, [value]: forms }).replaceAll('<', '\\\\u003c') });
  document.head.append(data, Object.assign(document.createElement('meta'), { name: 'description', content: value }));
  echo.append(document.createComment(value));
  document.querySelector('#link').href = '/next?v=' + encodeURIComponent(value) + '#' + encodeURI(value);
  document.cookie = 'in=1; path=/';
  document.title = value;
  console.error(value);
  history.replaceState(null, '', location.pathname + '?v=' + encodeURIComponent(value));
  setTimeout(() => { throw new Error(value); });
  echo.append(Object.assign(document.createElement('b'), { id: 'done', className: 'in', textContent: 'done' }));
};
</script>`;

/** Starts a site, with a page `/broken` without a button; returns also the values that it got, and its answers to them. */
async function startEchoSite() {
  const typed: string[] = [];
  const echoed: string[] = [];
  const site = await startSite(async ({ url, request, response }) => {
    if (url.pathname !== '/echo') {
      const html = url.pathname === '/broken' ? PAGE.replace('id="go"', 'id="no"') : PAGE;
      const isIn = request.headers.cookie?.includes('in=1');
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end(isIn ? `${html}<i class="in"></i>` : html);
      return;
    }
    const { value } = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const forms = FORMS.map((write) => write(value));
    const html = `<p>${markup(value)}</p><p title="${markup(value)}"></p>${forms.slice(9, 13).join('<br>')}`;
    const body = JSON.stringify({ forms, html, [value]: value });
    typed.push(value);
    echoed.push(body);
    response
      .writeHead(200, { 'content-type': 'application/json', 'x-echo': encodeURIComponent(value) })
      .end(body);
  });
  return { site, typed, echoed };
}

let bed: TestStack;
let site: Site;
let typed: string[];
let echoed: string[];
let receiver: WebhookReceiver;

beforeAll(async () => {
  bed = await joinStack();
  ({ site, typed, echoed } = await startEchoSite());
  receiver = await startWebhookReceiver();
  await bed.ask('/v1/secrets/echoed', { value: SECRET, origins: [site.origin] }, 'PUT');
});
afterAll(async () => {
  await receiver?.close();
  await site?.close();
  await bed?.[Symbol.asyncDispose]();
});

const ACTIONS = [{ fill: '#secret', value: { secret: 'echoed' } }, { click: '#go' }, { waitFor: '#done' }];
const SELECTORS = {
  done: '#done',
  title: 'title',
  link: '#link::attr(href)',
  forms: '.form::all',
  titles: '.form::attr(title)::all',
  html: '#echo::html',
};
const OPTIONS = {
  actions: ACTIONS,
  selectors: SELECTORS,
  formats: ['markdown', 'text', 'html', 'links', 'metadata'],
  capture: { echo: { url: '/echo*', wait: 1 } },
  snapshot: true,
};

/** Answers, deliveries and logs by their place. */
const seen = new Map<string, string>();

/** Notes the answer to a call, as it was sent. */
async function look(path: string, body?: unknown) {
  const { bytes, json } = await bed.ask(path, body);
  seen.set(body === undefined ? path : `${path} ${seen.size}`, bytes.toString());
  return json;
}

/** Returns the places with a trace of the secret so far. */
function leaks(): object {
  const found = [...seen].map(([place, text]) => [place, tracesIn(text)] as const);
  return Object.fromEntries(found.filter(([, traces]) => traces.length > 0));
}

async function createProfile(name: string, check: object) {
  const login = { url: `${site.origin}/login`, actions: ACTIONS, check };
  const { profile } = await look('/v1/profiles', { name, login });
  return await eventually(async () => {
    const { json } = await bed.ask(`/v1/profiles/${profile.id}`);
    expect(json.profile.status).not.toBe('signing-in');
    return json.profile;
  });
}

/** Notes the answers about a snapshot. */
async function lookAtSnapshot(id: string) {
  await look(`/v1/snapshots/${id}/extract`, { selectors: SELECTORS, formats: ['html', 'markdown'] });
  await look(`/v1/snapshots/${id}/view`);
}

/** Returns a client of the tools for models. */
async function connectTools() {
  const server = await serveHttp({
    url: bed.stack.url,
    version: '1.0.0',
    host: '127.0.0.1',
    port: 0,
    allowedHosts: [],
    onNotice: (text) => seen.set(`notice ${seen.size}`, text),
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  const requestInit = { headers: { authorization: `Bearer ${bed.stack.apiKey}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit }));
  return {
    async call(name: string, args: Record<string, unknown>) {
      const result = await client.callTool({ name, arguments: args });
      seen.set(`tool ${name} ${seen.size}`, JSON.stringify(result));
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await server.close();
    },
  };
}

(HAS_BROWSER ? describe : describe.skip)('a secret that a page echoes', () => {
  let jobId: string;

  it('is in no form in an answer about a page', async () => {
    const scraped = await look('/v1/scrape', { url: `${site.origin}/page`, ...OPTIONS });
    expect(scraped).toMatchObject({ success: true, data: { done: 'done', title: '[redacted]' } });
    expect(scraped.captured.echo).toHaveLength(1);
    expect(scraped.metadata.finalUrl).toContain('[redacted]');
    await look(`/v1/scrapes/${scraped.requestId}/trace`);
    await lookAtSnapshot(scraped.snapshotId);
    const broken = await look('/v1/scrape', { url: `${site.origin}/broken`, ...OPTIONS });
    expect(broken.error.code).toBe('ACTION_FAILED');
    await look(`/v1/scrapes/${broken.error.requestId}/trace`);
    // The site got it as it is, and the search finds each form that the site sent back.
    expect(typed).toEqual([SECRET]);
    const [{ forms }]: [{ forms: string[] }] = JSON.parse(`[${echoed}]`);
    expect(forms).toHaveLength(FORMS.length);
    expect(forms.filter((form) => tracesIn(JSON.stringify(form)).length === 0)).toEqual([]);
    expect(leaks()).toEqual({});
  });

  it('is in no form in profiles, nor in answers by them', async () => {
    const { id } = await createProfile('echoes', { present: '.in' });
    const { lastError } = await createProfile('fails', { present: '#never' });
    expect(lastError).toMatchObject({ code: expect.any(String) });
    await look('/v1/profiles');
    const request = { url: `${site.origin}/page`, profile: id, render: true, ...OPTIONS };
    expect(await look('/v1/scrape', request)).toMatchObject({ data: { done: 'done' } });
    await look('/v2/scrape', { url: `${site.origin}/page`, profile: { name: id } });
    expect(leaks()).toEqual({});
  });

  it('is in no form in a job, its exports and its webhook', async () => {
    const urls = ['/page?1', '/page?2', '/broken'].map((path) => site.origin + path);
    const webhook = { url: receiver.url, events: ['job.started', 'job.pages', 'job.partial'] };
    ({ id: jobId } = (await look('/v1/jobs', { urls, ...OPTIONS, timeout: 120_000, webhook })).job);
    await eventually(async () =>
      expect((await bed.ask(`/v1/jobs/${jobId}`)).json.job.status).toBe('partial'),
    );
    const paths = ['', '/urls', '/results/0/trace', '/results/1/trace', '/results/2/trace'];
    const formats = ['json', 'ndjson', 'csv'].map((format) => `/results?format=${format}`);
    for (const path of [...paths, ...formats]) await look(`/v1/jobs/${jobId}${path}`);
    for (const path of ['', '/errors']) await look(`/v2/batch/scrape/${jobId}${path}`);
    expect(seen.get(`/v1/jobs/${jobId}/results?format=ndjson`)).toContain('[redacted]');
    expect(leaks()).toEqual({});
  });

  it('is in no form in the deliveries to its webhook', async () => {
    const types = () => receiver.deliveries.map(({ json }) => Object(json).type);
    await eventually(() => expect(types()).toEqual(expect.arrayContaining(['job.pages', 'job.partial'])));
    await look(`/v1/webhooks/deliveries?jobId=${jobId}`);
    for (const { path, headers, body } of receiver.deliveries)
      seen.set(`delivery ${seen.size}`, `${path} ${JSON.stringify(headers)} ${body}`);
    expect(leaks()).toEqual({});
  });

  it('is in no form in the answer of a tool', async () => {
    await using tools = await connectTools();
    const { snapshot: _snapshot, ...options } = OPTIONS;
    await tools.call('scrape', { url: `${site.origin}/tool`, ...options });
    await tools.call('scrape', { url: `${site.origin}/broken`, ...options });
    await tools.call('get_job', { id: jobId });
    await tools.call('get_results', { id: jobId });
    expect(leaks()).toEqual({});
  });

  it('is in no form in the metrics and the log of a process', async () => {
    seen.set('metrics', await (await fetch(`${bed.stack.metricsUrl}/metrics`)).text());
    const logs = await readdir(bed.stack.logs);
    for (const name of logs) seen.set(name, await readFile(join(bed.stack.logs, name), 'utf8'));
    expect(logs).toEqual(expect.arrayContaining(['background.log', 'gateway.log', 'scraper.log']));
    expect(new Set(typed)).toEqual(new Set([SECRET]));
    // Each of these shows the page, so something stood where the secret was.
    for (const kind of [
      '/v1/scrape',
      '/v1/snapshots/',
      '/v1/jobs/',
      '/v2/batch/scrape/',
      'delivery',
      'tool ',
    ]) {
      const texts = [...seen].flatMap(([place, text]) => (place.startsWith(kind) ? [text] : []));
      expect([kind, texts.some((text) => text.includes('[redacted]'))]).toEqual([kind, true]);
    }
    expect(leaks()).toEqual({});
  });
});
