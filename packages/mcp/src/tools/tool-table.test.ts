import { Gleaner } from '@gleaner/client';
import {
  CHANGE_FILTERS,
  CrawlOptionsSchema,
  CreateJobRequestSchema,
  CreateScheduleRequestSchema,
  FORMAT_NAMES,
  SCOPES,
  ScrapeRequestSchema,
} from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { createServer } from '../serve/create-server.ts';
import { TOOLS } from './tool-table.ts';

/** A kilobyte for each of eleven tools. */
const MAX_BYTES = 11 * 1024;
/** Arguments that the API has elsewhere: `main` is an option of each format, an estimate a call of its own. */
const OWN = ['path', 'from', 'main', 'estimate'];

async function list(scopes: readonly string[] | undefined) {
  const gleaner = new Gleaner({ url: 'http://127.0.0.1:1' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await createServer({ gleaner, scopes, version: '1.0.0' }).connect(far);
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(near);
  const { tools } = await client.listTools();
  await client.close();
  return tools;
}

describe('the tools', () => {
  it('cost an agent at most 11 KB', async () => {
    const tools = await list(undefined);
    expect(tools).toHaveLength(TOOLS.length);
    expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThanOrEqual(MAX_BYTES);
  });

  it.each([
    [['scrape'], ['scrape', 'search', 'list_urls', 'extract_snapshot', 'suggest_selectors']],
    [['jobs'], ['create_job', 'get_job', 'get_results', 'cancel_job', 'get_records']],
    [['schedules', 'usage'], ['schedule']],
    [['usage', 'admin'], []],
  ])('of a key with the scopes %j are %j', async (scopes, names) => {
    expect((await list(scopes)).map(({ name }) => name)).toEqual(names);
  });

  it('are read-only only where they fetch nothing, spend nothing and change nothing', async () => {
    const tools = await list([...SCOPES]);
    const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]));
    const reads = { readOnlyHint: true, openWorldHint: false };
    const fetches = { readOnlyHint: false, destructiveHint: false, openWorldHint: true };
    expect(hints).toEqual({
      scrape: fetches,
      search: fetches,
      list_urls: fetches,
      create_job: fetches,
      extract_snapshot: reads,
      suggest_selectors: fetches,
      get_job: reads,
      get_results: reads,
      get_records: reads,
      cancel_job: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
      schedule: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    });
  });

  it('have a title, annotations, and schemas of input and output', async () => {
    for (const tool of await list([...SCOPES])) {
      expect(tool).toMatchObject({
        title: expect.any(String),
        annotations: { readOnlyHint: expect.any(Boolean), openWorldHint: expect.any(Boolean) },
        inputSchema: { type: 'object' },
        outputSchema: { type: 'object' },
      });
    }
  });

  it.each([
    ['scrape', ScrapeRequestSchema],
    ['create_job', CreateJobRequestSchema],
  ])('take options that the API has: %s', (name, schema) => {
    const { properties = {} } = TOOLS.find((tool) => tool.name === name)?.input ?? {};
    const known = Object.keys((schema as { properties?: object }).properties ?? {});
    expect(Object.keys(properties).filter((each) => !OWN.includes(each) && !known.includes(each))).toEqual(
      [],
    );
    expect(properties.formats?.items?.enum).toEqual(FORMAT_NAMES);
  });

  it('know every difference that results can be filtered by', () => {
    const { properties = {} } = TOOLS.find(({ name }) => name === 'get_results')?.input ?? {};
    expect(properties.change?.enum).toEqual([...CHANGE_FILTERS, 'values']);
  });

  it('name options in their descriptions that the API has', () => {
    const described = (name: string, option: string) =>
      [
        ...(TOOLS.find((tool) => tool.name === name)?.input.properties?.[option]?.description ?? '').matchAll(
          /[a-z]+[A-Z]?\w+/g,
        ),
      ].map(([word]) => word);
    const crawl = Object.keys(CrawlOptionsSchema.properties);
    for (const option of [
      'limit',
      'maxDepth',
      'scope',
      'include',
      'exclude',
      'sitemap',
      'rules',
      'maxCredits',
    ]) {
      expect(crawl).toContain(option);
      expect(described('create_job', 'crawl')).toContain(option);
    }
    const schedule = Object.keys(
      (CreateScheduleRequestSchema as unknown as { properties: object }).properties,
    );
    for (const option of ['url', 'urls', 'cron', 'timezone', 'name', 'overlap', 'crawl']) {
      expect(schedule).toContain(option);
      expect(described('schedule', 'settings')).toContain(option);
    }
  });
});
