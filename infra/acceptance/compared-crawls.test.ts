import { createHash } from 'node:crypto';
import { eventually, type Site, startSite, startWebhookReceiver } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestStack } from '../stack/test/test-stack.ts';
import { joinStack } from './join-stack.ts';

/** Links and text of the pages of the site, by path. */
type Pages = Record<string, { readonly links: readonly string[]; readonly text: string }>;

let pages: Pages = {};
let site: Site;
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;
let bed: TestStack;

beforeAll(async () => {
  site = await startSite(({ url, request, response }) => {
    const page = pages[url.pathname];
    if (!page) return void response.writeHead(404).end('Not found');
    const links = page.links.map((path) => `<a href="${path}">${path}</a>`).join(' ');
    const body = `<title>${url.pathname}</title><main><p>${page.text}</p></main><nav>${links}</nav>`;
    const etag = `"${createHash('sha1').update(body).digest('hex')}"`;
    const headers = { 'content-type': 'text/html', etag };
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304, headers).end();
    response.writeHead(200, headers).end(body);
  });
  receiver = await startWebhookReceiver();
  bed = await joinStack();
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  await receiver.close();
  await site.close();
});

async function finished(id: string) {
  return await eventually(
    async () => {
      const { json } = await bed.ask(`/v1/jobs/${id}?resultsLimit=0`);
      if (!json.job.completedAt) throw new Error(`The job is ${json.job.status}.`);
      return json.job;
    },
    { timeoutMs: 30_000 },
  );
}

const pathsOf = async (id: string, change: string): Promise<string[]> => {
  const { json } = await bed.ask(`/v1/jobs/${id}/results?change=${change}`);
  return json.map(({ url }: { url: string }) => new URL(url).pathname).sort();
};

describe('a crawl of a schedule with changes', () => {
  it('reports exactly what changed on the site, by REST and by webhook', async () => {
    const items = Array.from({ length: 30 }, (_, index) => `/items/${index}`);
    const itemPages = Object.fromEntries(items.map((path) => [path, { links: ['/'], text: `Item ${path}` }]));
    pages = { '/': { links: items, text: 'Welcome' }, ...itemPages };
    const { json: created } = await bed.ask('/v1/schedules', {
      ...{ url: `${site.origin}/`, cron: '0 0 1 1 *', selectors: { text: 'p' } },
      crawl: { changes: true },
      webhook: { url: receiver.url, events: ['job.changed'] },
    });
    const { id: scheduleId } = created.schedule;
    const run = async () => {
      const { json } = await bed.ask(`/v1/schedules/${scheduleId}/run`, {});
      return await finished(json.job.id);
    };
    const first = await run();
    expect(first.crawl).not.toHaveProperty('changes');
    const same = await run();
    expect(same).toMatchObject({
      creditsUsed: 0,
      crawl: { since: first.id, changes: { new: 0, changed: 0, unchanged: 31, gone: 0, unlinked: 0 } },
    });

    const { '/items/3': _removed, ...left } = pages;
    const linked = items.filter((path) => path !== '/items/3' && path !== '/items/4');
    pages = {
      ...left,
      '/': { links: [...linked, '/items/new'], text: 'Welcome' },
      '/items/7': { links: ['/'], text: 'Another text' },
      '/items/new': { links: [], text: 'New' },
    };
    const last = await run();
    expect(last.crawl.changes).toEqual({ new: 1, changed: 1, unchanged: 29, gone: 1, unlinked: 1 });
    expect(last.creditsUsed).toBe(3);
    expect(await pathsOf(last.id, 'new')).toEqual(['/items/new']);
    expect(await pathsOf(last.id, 'changed')).toEqual(['/items/7']);
    expect(await pathsOf(last.id, 'gone')).toEqual(['/items/3']);
    expect(await pathsOf(last.id, 'unlinked')).toEqual(['/items/4']);
    const unmodified = site.fetches.filter(({ url }) => url.endsWith('/items/9'));
    expect(unmodified).toHaveLength(3);

    await eventually(async () => {
      const { json } = await bed.ask(`/v1/schedules/${scheduleId}`);
      expect(json.schedule.lastChanges).toEqual(last.crawl.changes);
    });
    const { json: listed } = await bed.ask(`/v1/schedules/${scheduleId}/runs`);
    expect(listed.runs.map(({ changed }: { changed: boolean | null }) => changed)).toEqual([
      true,
      false,
      null,
    ]);
    await eventually(async () => expect(receiver.deliveries).toHaveLength(1));
    const [delivery] = receiver.deliveries.map(
      ({ json }) => json as { type: string; data: { job: Results } },
    );
    expect(delivery?.type).toBe('job.changed');
    const sent = delivery?.data.job.results ?? [];
    expect(sent.map(({ url, change }) => [new URL(url).pathname, change])).toEqual([
      ['/items/new', 'new'],
      ['/items/7', 'changed'],
      ['/items/3', 'gone'],
      ['/items/4', 'unchanged'],
    ]);
  });
});

interface Results {
  readonly results: readonly { readonly url: string; readonly change?: string }[];
}
