import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { htmlPath } from '@gleaner/test-kit';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { TestStack } from '../../stack/test/test-stack.ts';
import { joinStack } from '../join-stack.ts';
import { onBrowser, openBrowser, openPage, signIn } from './open-browser.ts';

const KETTLES = ['Emma', 'Otto', 'Ada'].map((name) => `<li class=kettle><b class=name>${name}</b>`);
const LAST = 'The last words';
const HTML = `<title>Kettles</title><ul>${KETTLES.join('')}</ul><p id=last>${LAST}`;

onBrowser('a page that arrives slowly in the workbench', () => {
  let bed: TestStack;
  let browser: Browser;

  beforeAll(async () => {
    bed = await joinStack();
    browser = await openBrowser(bed);
  });
  afterAll(async () => {
    await browser?.close();
    await bed?.[Symbol.asyncDispose]();
  });

  async function openKept(tab: Page, consoleUrl: string) {
    await tab.goto(`${consoleUrl}/console/#/workbench`);
    await tab.getByRole('heading', { level: 1, name: 'Workbench' }).waitFor();
    await tab.getByLabel('URL', { exact: true }).fill(bed.origin.url + htmlPath(HTML));
    await tab.getByRole('button', { name: 'Open', exact: true }).click();
    return tab.frameLocator('iframe');
  }

  it('takes clicks before the end of the page is there, and lists all elements after it', async () => {
    await using proxy = await startHoldingProxy(bed.stack.url, '<p ');
    await using opened = await openPage(browser, proxy.url);
    const { page: tab, problems } = opened;
    await tab.goto(`${proxy.url}/console/`);
    await tab.getByLabel('API key', { exact: true }).fill(bed.stack.apiKey);
    await tab.getByRole('button', { name: 'Sign in' }).click();
    await tab.getByRole('heading', { level: 1, name: 'Playground' }).waitFor();
    const frame = await openKept(tab, proxy.url);
    await frame.getByText('Emma').click();
    await tab.getByRole('button', { name: /^List of 3/ }).waitFor();
    expect(await frame.getByText(LAST).count()).toBe(0);
    proxy.release();
    await frame.getByText(LAST).waitFor();
    await tab.getByText('Elements (for the keyboard)').click();
    await tab.getByRole('treeitem', { name: 'p#last' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('stays in sight while its script is not heard, and takes clicks once it is', async () => {
    await using opened = await openPage(browser, bed.stack.url);
    const { page: tab, problems } = opened;
    await tab.addInitScript(HOLD_READY);
    await signIn(tab, bed);
    const frame = await openKept(tab, bed.stack.url);
    await tab.getByText('its frame does not answer').waitFor();
    expect(await frame.getByText('Emma').isVisible()).toBe(true);
    await tab.evaluate('releaseReady()');
    await tab.getByText('its frame does not answer').waitFor({ state: 'detached' });
    await frame.getByText('Emma').click();
    await tab.getByRole('button', { name: /^List of 3/ }).waitFor();
    expect(problems).toEqual([]);
  });
});

/** Runs in the console: keeps back what the frame says first, as a processor that is busy with the layout of a large page does. */
const HOLD_READY = `{
  const held = [];
  let isHolding = true;
  addEventListener('message', (event) => {
    if (!isHolding || event.data !== 'gleaner-ready') return;
    event.stopImmediatePropagation();
    held.push(event);
  }, { capture: true });
  globalThis.releaseReady = () => {
    isHolding = false;
    for (const { data, origin, source } of held) dispatchEvent(new MessageEvent('message', { data, origin, source }));
  };
}`;

/** A reverse proxy that keeps back the end of views of snapshots. */
interface HoldingProxy extends AsyncDisposable {
  readonly url: string;
  /** Sends what is held. */
  release(): void;
}

/** Starts a proxy that sends views up to a mark in their body. */
async function startHoldingProxy(target: string, mark: string): Promise<HoldingProxy> {
  const held: (() => void)[] = [];
  const { hostname, port } = new URL(target);
  const server = createServer((from, to) => {
    const isView = /\/view(?:\?|$)/.test(from.url ?? '');
    const { 'accept-encoding': encoding, ...headers } = from.headers;
    const sent = isView ? headers : { ...headers, 'accept-encoding': encoding };
    const onward = request(
      { hostname, port, method: from.method, path: from.url, headers: sent },
      (answer) => {
        if (isView) return void hold(answer, to);
        to.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(to);
      },
    );
    onward.on('error', () => to.destroy());
    from.pipe(onward);
  });
  async function hold(answer: IncomingMessage, to: ServerResponse): Promise<void> {
    const body = Buffer.concat(await answer.toArray());
    const end = body.indexOf(mark);
    to.writeHead(answer.statusCode ?? 502, answer.headers);
    to.write(body.subarray(0, end));
    held.push(() => to.end(body.subarray(end)));
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    release() {
      for (const send of held.splice(0)) send();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
