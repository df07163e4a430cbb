import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually, type Origin, type OriginRoute, startOrigin } from '@gleaner/test-kit';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { startTestStack, type TestStack } from '../../stack/test/test-stack.ts';
import { findFlaws, go, onBrowser, openBrowser, openPage, signIn } from './open-browser.ts';

const RECORDS = 10_000;
const JOBS = 110;
/** Two elements each, beside those around them. */
const ROWS = 25_000;
const HELD = '/held';

onBrowser('the console under strain', () => {
  let bed: TestStack;
  let site: Origin;
  let browser: Browser;
  /** Requests that are held until the test lets them go. */
  const held: (() => void)[] = [];

  beforeAll(async () => {
    site = await startOrigin({
      routes: [
        page(
          '/records',
          `<ul>${Array.from({ length: RECORDS }, (_, at) => `<li><b>Record ${at}</b>`).join('')}`,
        ),
        page('/rows', `<title>Rows</title><ol>${'<li class=row><b>x</b>'.repeat(ROWS)}</ol>`),
        { path: HELD, behavior: ({ response }) => void held.push(() => response.end('<h1>Let go</h1>')) },
      ],
    });
    bed = await startTestStack({}, [`127.0.0.1:${site.port}`]);
    browser = await openBrowser(bed);
  }, 180_000);
  afterAll(async () => {
    for (const release of held) release();
    await browser?.close();
    await bed?.[Symbol.asyncDispose]();
    await site?.close();
  });

  it('follows a job over a restart of the gateway, and stays signed in', async () => {
    const { json } = await bed.ask('/v1/jobs', {
      name: 'Held',
      urls: [site.url + HELD],
      selectors: { h: 'h1' },
    });
    await using opened = await openPage(browser, bed.stack.url);
    const { page: tab } = opened;
    await signIn(tab, bed);
    await go(tab, bed, `/jobs/${json.job.id}`, 'Held');
    await tab.getByText('running', { exact: true }).waitFor();
    await eventually(() => expect(held.length).toBeGreaterThan(0));
    const former = pidOfGateway(bed);
    process.kill(former, 'SIGKILL');
    await eventually(() => expect(pidOfGateway(bed)).not.toBe(former));
    for (const release of held.splice(0)) release();
    await tab.getByText('completed', { exact: true }).waitFor({ timeout: 60_000 });
    await tab.getByRole('cell', { name: 'Let go' }).waitFor();
    await tab.getByRole('link', { name: 'Jobs' }).first().click();
    await tab.getByRole('region', { name: 'Jobs' }).getByRole('link', { name: 'Held' }).waitFor();
    expect(await tab.getByRole('alert').count()).toBe(0);
  });

  it('works below the path of a reverse proxy', async () => {
    await using proxy = await startPathProxy(bed.stack.url, '/tools/gleaner');
    await using opened = await openPage(browser, proxy.origin);
    const { page: tab, problems } = opened;
    await tab.goto(`${proxy.url}/console/`);
    await tab.getByLabel('API key', { exact: true }).fill(bed.stack.apiKey);
    await tab.getByRole('button', { name: 'Sign in' }).click();
    await tab.getByRole('heading', { level: 1, name: 'Playground' }).waitFor();
    await tab.getByRole('button', { name: 'Scrape' }).click();
    await tab.getByRole('figure', { name: 'Data' }).getByText('"title": "All books"').waitFor();
    await tab.getByRole('button', { name: 'Pick elements on this page' }).click();
    await tab.frameLocator('iframe').getByText('Middlemarch', { exact: true }).waitFor();
    await tab.goto(`${proxy.url}/console/#/system`);
    await tab.reload();
    await tab.getByRole('heading', { level: 1, name: 'System' }).waitFor();
    expect(problems).toEqual([]);
    expect(proxy.strays).toEqual([]);
  });

  it('draws the usage where the language of the browser is not a valid language tag', async () => {
    await using opened = await openPage(browser, bed.stack.url);
    const { page: tab, problems } = opened;
    await tab.addInitScript(
      "Object.defineProperty(Navigator.prototype, 'language', { get: () => 'en-US@posix', configurable: true });",
    );
    await signIn(tab, bed);
    await go(tab, bed, '/usage', 'Usage');
    await tab
      .getByRole('figure', { name: /^Credits by day/ })
      .locator('canvas')
      .waitFor();
    expect(problems).toEqual([]);
  });

  it('shows thousands of records, of which few are in the document', async () => {
    const selectors = { records: { selector: 'li', all: true, fields: { name: 'b' } } };
    const { json } = await bed.ask('/v1/jobs', { name: 'Many', urls: [`${site.url}/records`], selectors });
    await using opened = await openPage(browser, bed.stack.url);
    const { page: tab, problems } = opened;
    await signIn(tab, bed);
    await go(tab, bed, `/jobs/${json.job.id}`, 'Many');
    await tab.getByText('completed', { exact: true }).waitFor();
    await tab.getByRole('radiogroup', { name: 'Rows' }).getByText('records').click();
    const results = tab.getByRole('region', { name: 'Results' });
    await results.getByRole('cell', { name: 'Record 0', exact: true }).waitFor();
    expect(await results.getByRole('table').getAttribute('aria-rowcount')).toBe(String(RECORDS + 1));
    expect(await results.getByRole('row').count()).toBeLessThan(100);
    await results.focus();
    await tab.keyboard.press('End');
    await results.getByRole('cell', { name: `Record ${RECORDS - 1}`, exact: true }).waitFor();
    expect(await results.getByRole('row').count()).toBeLessThan(100);
    expect([...(await findFlaws(tab)), ...problems]).toEqual([]);
  });

  it('picks a list on a page of fifty thousand elements', async () => {
    await using opened = await openPage(browser, bed.stack.url);
    const { page: tab, problems } = opened;
    await signIn(tab, bed);
    await go(tab, bed, '/workbench', 'Workbench');
    await tab.getByLabel('URL', { exact: true }).fill(`${site.url}/rows`);
    await tab.getByRole('button', { name: 'Open', exact: true }).click();
    await tab.frameLocator('iframe').locator('li').nth(0).click({ timeout: 60_000 });
    await tab.getByRole('button', { name: new RegExp(`List of ${ROWS}`) }).click({ timeout: 60_000 });
    await tab.getByText(`${ROWS.toLocaleString('en-US')} records`).waitFor({ timeout: 60_000 });
    expect(await tab.getByRole('region', { name: 'Values' }).getByRole('row').count()).toBeLessThan(100);
    expect(problems).toEqual([]);
  });

  it('lists many jobs by pages', async () => {
    const names = Array.from({ length: JOBS }, (_, at) => `Job ${at}`);
    const work = async () => {
      for (let name = names.pop(); name; name = names.pop())
        expect((await bed.ask('/v1/jobs', { name, urls: [bed.stack.demoUrl] })).status).toBe(202);
    };
    await Promise.all(Array.from({ length: 8 }, work));
    await using opened = await openPage(browser, bed.stack.url);
    const { page: tab, problems } = opened;
    await signIn(tab, bed);
    await go(tab, bed, '/jobs', 'Jobs');
    const rows = tab.getByRole('region', { name: 'Jobs' }).getByRole('row');
    const pages = tab.getByRole('navigation', { name: 'Pages' });
    await pages.getByText(/^1–50 of 11\d$/).waitFor();
    expect(await rows.count()).toBe(51);
    await pages.getByRole('button', { name: 'Older' }).click();
    await pages.getByText(/^51–100 of 11\d$/).waitFor();
    expect(tab.url()).toContain('offset=50');
    expect([...(await findFlaws(tab)), ...problems]).toEqual([]);
  });
});

function page(path: string, html: string): OriginRoute {
  return {
    path,
    behavior: ({ response }) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(html);
    },
  };
}

function pidOfGateway({ stack }: TestStack): number {
  const pid = stack.processes().find(({ name }) => name === 'gateway')?.pid;
  if (pid === undefined) throw new Error('No gateway runs.');
  return pid;
}

/** A reverse proxy that serves another server below a path, and nothing beside it. */
interface PathProxy extends AsyncDisposable {
  readonly origin: string;
  readonly url: string;
  /** Requests outside of the path. */
  readonly strays: string[];
}

async function startPathProxy(target: string, path: string): Promise<PathProxy> {
  const strays: string[] = [];
  const { hostname, port } = new URL(target);
  const server: Server = createServer((from, to) => {
    const { url = '', method, headers } = from;
    if (!url.startsWith(`${path}/`)) {
      strays.push(url);
      return void to.writeHead(404).end();
    }
    const onward = request({ hostname, port, method, headers, path: url.slice(path.length) }, (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(to);
    });
    onward.on('error', () => to.destroy());
    from.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: own } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${own}`;
  return {
    ...{ origin, url: origin + path, strays },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
