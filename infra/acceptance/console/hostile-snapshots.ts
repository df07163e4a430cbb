import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@gleaner/test-kit';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { APIResponse, Browser, BrowserContext, Frame, Page } from 'playwright-core';
import type { TestStack } from '../../stack/test/test-stack.ts';
import { joinStack } from '../join-stack.ts';
import { type HostileSite, startHostileSite, vectorsIn } from './hostile-site.ts';
import type { Vector } from './hostile-vectors.ts';
import { onBrowser, openBrowser, PATIENCE_MS, signIn } from './open-browser.ts';

/** Tabs that take turns: a page stays open while this many others load, and has that time to act. */
const TABS = 12;
/** Pages that load at once, by turns in the tabs of one group each. */
const AT_ONCE = 4;

/** Message of the script of the console, as the test notes it. */
const OWN_MESSAGE = 'posted "gleaner-ready"';

/** Form in which a view reaches the browser: cleaned, or as the page was, with the headers of the view alone. */
type Form = 'cleaned' | 'as it was';

/** A suite that opens a snapshot of each of these vectors where nothing, a part or everything protects the browser. */
export function onHostileSnapshots(vectors: readonly Vector[]): void {
  onBrowser(`${vectors.length} hostile snapshots`, () => {
    let site: HostileSite;
    let bed: TestStack;
    let browser: Browser;
    let folder: string;
    /** Path of the view of each vector. */
    const views = new Map<Vector, string>();

    beforeAll(async () => {
      site = await startHostileSite();
      bed = await joinStack();
      folder = await mkdtemp(join(tmpdir(), 'gleaner-net-log-'));
      [browser] = await Promise.all([
        openBrowser(bed, [`--log-net-log=${join(folder, 'net.json')}`]),
        keepPages(),
      ]);
    });
    afterAll(async () => {
      await browser?.close();
      await bed?.[Symbol.asyncDispose]();
      await site?.[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    });

    async function keepPages() {
      const waiting = [...vectors];
      const work = async () => {
        for (let vector = waiting.shift(); vector; vector = waiting.shift()) {
          const { json } = await bed.ask('/v1/scrape', { url: site.pageOf(vector, 'kept'), snapshot: true });
          views.set(vector, `/v1/snapshots/${json.snapshotId}/view`);
        }
      };
      await Promise.all(Array.from({ length: 2 * AT_ONCE }, work));
    }

    /** Opens tabs of a signed-in context for views of this form, with a list of the events in them. */
    async function openTabs(form: Form) {
      const context = await browser.newContext();
      context.setDefaultTimeout(PATIENCE_MS);
      const tabs = await newTabs(context);
      const [host] = tabs;
      await signIn(host, bed);
      if (form === 'as it was') await showSources(context);
      return { host, tabs, acts: watchActs(context, host), [Symbol.asyncDispose]: () => context.close() };
    }

    /** Serves the page of each vector with the headers of a view. */
    async function showSources(context: BrowserContext) {
      const vectorAt = new Map([...views].map(([vector, path]) => [path, vector]));
      let view: Promise<APIResponse> | undefined;
      await context.route(/\/v1\/snapshots\//, async (route) => {
        const request = route.request();
        const dest = request.frame().parentFrame() ? 'iframe' : 'document';
        view ??= route.fetch({ headers: { ...request.headers(), 'sec-fetch-dest': dest } });
        const response = await view;
        const vector = vectorAt.get(new URL(request.url()).pathname);
        if (!vector || !response.ok()) return route.abort();
        await route.fulfill({ response, body: site.sourceOf(vector, 'kept') });
      });
    }

    /** Returns the address of a view with a ticket, as the console makes it. */
    async function addressOf(target: string, token: string): Promise<string> {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify({ target }) };
      const answer = await fetch(`${bed.stack.url}/v1/session/tickets`, init);
      const { ticket } = (await answer.json()) as { ticket: string };
      return `${bed.stack.url}${target}?ticket=${ticket}`;
    }

    it.each<Form>(['cleaned', 'as it was'])('does nothing in the frame of the console, %s', async (form) => {
      await using opened = await openTabs(form);
      const { host, acts } = opened;
      await showFrames(host, [...views.values()]);
      for (const vector of vectors.filter(({ needsClick }) => needsClick)) {
        const frame = host.frames().find((each) => each.url().includes(views.get(vector) ?? '?'));
        if (!frame) throw new Error(`No frame shows "${vector.name}".`);
        await click(frame);
      }
      expect(acts).toEqual([]);
      expect(vectorsIn(site.hitsOf('kept'), 'kept')).toEqual([]);
    });

    it.each<Form>(['cleaned', 'as it was'])('does nothing when it is opened itself, %s', async (form) => {
      await using opened = await openTabs(form);
      const { host, tabs, acts } = opened;
      const token = await host.evaluate<string>(`sessionStorage.getItem('gleaner-session')`);
      await visitInTurn(vectors, tabs, async (tab, vector) => {
        const view = await tab.goto(await addressOf(views.get(vector) ?? '', token));
        expect(view?.headers()['content-security-policy']).toMatch(/^sandbox; /);
        // That a link is followed is the reader's act.
        if (vector.needsClick && !vector.isLink) await click(tab.mainFrame());
      });
      expect(acts).toEqual([]);
      expect(vectorsIn(site.hitsOf('kept'), 'kept')).toEqual([]);
    });

    it('acts where nothing protects it, and is noticed', async () => {
      const context = await browser.newContext();
      // What takes longer is tried again.
      context.setDefaultTimeout(60_000);
      const said: string[] = [];
      const tabs = await newTabs(context);
      context.on('console', (message) => void said.push(message.text()));
      for (const tab of tabs) tab.on('dialog', (dialog) => void dialog.dismiss());
      let silent: readonly Vector[] = vectors;
      // A busy browser leaves a page before all of it has acted.
      await eventually(async () => {
        await visitInTurn(silent, tabs, async (tab, vector) => {
          await tab.goto(site.pageOf(vector, 'bare'), { waitUntil: 'commit' });
          if (vector.needsClick) await click(tab.mainFrame());
        });
        await eventually(
          () => {
            const acted = new Set(vectorsIn([...said, ...site.hitsOf('bare')], 'bare'));
            silent = vectors.filter((vector) => !vector.isDormant && !acted.has(vector));
            expect(silent.map(({ name }) => name)).toEqual([]);
          },
          { timeoutMs: 5_000 },
        );
      });
      await context.close();
    });

    it('does not appear in the log of the network', async () => {
      await browser.close();
      const log = await readFile(join(folder, 'net.json'), 'utf8');
      expect(vectorsIn([log], 'kept')).toEqual([]);
      expect(vectorsIn([log], 'bare').length).toBeGreaterThan(vectors.length / 3);
    });
  });
}

async function newTabs(context: BrowserContext): Promise<[Page, ...Page[]]> {
  const first = await context.newPage();
  const others = Array.from({ length: TABS - 1 }, () => context.newPage());
  return [first, ...(await Promise.all(others))];
}

/** Opens each vector, a few at once, in the tab of its group that has shown another one the longest. */
async function visitInTurn(
  vectors: readonly Vector[],
  tabs: readonly Page[],
  visit: (tab: Page, vector: Vector) => Promise<void>,
) {
  const work = async (group: number) => {
    for (let index = group; index < vectors.length; index += AT_ONCE) {
      const [tab, vector] = [tabs[index % tabs.length], vectors[index]];
      if (tab && vector) await visit(tab, vector);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, group) => work(group)));
}

/** Clicks where the vector wants it, if that is left. */
async function click(frame: Frame): Promise<void> {
  const target = frame.locator('[data-go]').first();
  if ((await target.count()) > 0) await target.click({ force: true, noWaitAfter: true });
}

/** Shows each view in a frame like the workbench's, a few at a time, and tells what their windows post. */
async function showFrames(host: Page, paths: readonly string[]): Promise<void> {
  await host.evaluate(`(async (waiting) => {
    addEventListener('message', ({ data }) => console.log('posted ' + JSON.stringify(data)));
    const ticketFor = async (target) => {
      const headers = {
        authorization: 'Bearer ' + sessionStorage.getItem('gleaner-session'),
        'content-type': 'application/json',
      };
      const init = { method: 'POST', headers, body: JSON.stringify({ target }) };
      return (await (await fetch('/v1/session/tickets', init)).json()).ticket;
    };
    const show = (path) => new Promise((resolve) => {
      const frame = document.createElement('iframe');
      frame.setAttribute('sandbox', 'allow-scripts');
      frame.onload = resolve;
      frame.src = path;
      document.body.prepend(frame);
    });
    const work = async () => {
      for (let path = waiting.shift(); path; path = waiting.shift()) {
        await show(path + '?ticket=' + (await ticketFor(path)));
      }
    };
    await Promise.all(Array.from({ length: ${2 * AT_ONCE} }, work));
  })(${JSON.stringify(paths)})`);
}

/** Returns a growing list of forbidden acts of pages. Each page that opens from now on is a popup. */
function watchActs(context: BrowserContext, host: Page): string[] {
  const acts: string[] = [];
  const isView = (url: string) => url.includes('/v1/snapshots/');
  const watchTab = (tab: Page) => {
    tab.on('download', (download) => acts.push(`downloads ${download.url()}`));
    tab.on('dialog', (dialog) => {
      acts.push(`asks ${dialog.message()}`);
      void dialog.dismiss();
    });
    tab.on('framenavigated', (frame) => {
      // What was refused ends at an error of the browser; frames inside a view have its sandbox and policy.
      if (!isView(frame.url()) && !/^(?:chrome-error|about):/.test(frame.url()))
        acts.push(`navigates to ${frame.url()}`);
    });
  };
  for (const tab of context.pages()) watchTab(tab);
  context.on('page', (popup) => acts.push(`opens ${popup.url()}`));
  context.on('response', (response) => {
    if (isView(response.url()) ? response.ok() : response.frame() === host.mainFrame()) return;
    acts.push(`requests ${response.url()}, answered ${response.status()}`);
  });
  context.on('console', (message) => {
    if (message.type() === 'log' && message.text() !== OWN_MESSAGE) acts.push(`says ${message.text()}`);
  });
  return acts;
}
