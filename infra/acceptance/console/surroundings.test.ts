import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { onConsole } from './on-console.ts';
import { go, openPage, signIn } from './open-browser.ts';

onConsole('the console in other surroundings', (on) => {
  it('works below the path of a reverse proxy', async () => {
    await using proxy = await startPathProxy(on.bed.stack.url, '/tools/gleaner');
    await using opened = await openPage(on.browser, proxy.origin);
    const { page: tab, problems } = opened;
    await tab.goto(`${proxy.url}/console/`);
    await tab.getByLabel('API key', { exact: true }).fill(on.bed.stack.apiKey);
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
    await using opened = await openPage(on.browser, on.bed.stack.url);
    const { page: tab, problems } = opened;
    await tab.addInitScript(
      "Object.defineProperty(Navigator.prototype, 'language', { get: () => 'en-US@posix', configurable: true });",
    );
    await signIn(tab, on.bed);
    await go(tab, on.bed, '/usage', 'Usage');
    await tab
      .getByRole('figure', { name: /^Credits by day/ })
      .locator('canvas')
      .waitFor();
    expect(problems).toEqual([]);
  });
});

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
    origin,
    url: origin + path,
    strays,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
