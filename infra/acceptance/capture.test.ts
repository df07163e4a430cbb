import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Gleaner } from '@gleaner/client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runGleaner } from '../stack/test/run-gleaner.ts';
import { HAS_BROWSER, type TestStack } from '../stack/test/test-stack.ts';
import { joinStack } from './join-stack.ts';
import { runPython } from './run-python.ts';

let bed: TestStack;
let gleaner: Gleaner;
let folder: string;
let url: string;

beforeAll(async () => {
  bed = await joinStack();
  gleaner = new Gleaner({ url: bed.stack.url, apiKey: bed.stack.apiKey });
  url = `${bed.stack.demoUrl}specials`;
  folder = await mkdtemp(join(tmpdir(), 'gleaner-capture-'));
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const OPTIONS = {
  capture: { specials: { url: '/api/specials.json', wait: 1 } },
  selectors: {
    heading: 'h1',
    specials: {
      ...({ from: 'specials', json: '$.items[*]', all: true } as const),
      fields: { title: { json: '$.title' }, price: { json: '$.price.amount', type: 'number' } },
    },
  },
} as const;

if (HAS_BROWSER) {
  describe('the JSON behind a page', () => {
    it('is read by selectors and returned, as the documentation shows', async () => {
      const { data, captured, metadata } = await gleaner.scrape({ url, ...OPTIONS });
      expect(metadata.credits).toBe(5);
      expect(data.heading).toBe('Specials');
      expect(data.specials[0]).toEqual({ title: expect.any(String), price: expect.any(Number) });
      const [response] = captured?.specials ?? [];
      expect(response).toMatchObject({
        method: 'GET',
        status: 200,
        url: expect.stringMatching(/specials\.json$/),
      });
      expect(response).toMatchObject({ json: { items: { length: data.specials.length } } });
    });

    it('is in the results of a job, and in its CSV', async () => {
      const created = await gleaner.jobs.create({ urls: [url], ...OPTIONS });
      await gleaner.jobs.wait(created.id);
      for await (const result of gleaner.jobs.results(created.id)) {
        expect('captured' in result && result.captured?.specials).toHaveLength(1);
      }
      const program = `
import os
from gleaner_client import Gleaner
gleaner = Gleaner(os.environ["GLEANER_URL"], os.environ["GLEANER_API_KEY"])
for result in gleaner.jobs.results("${created.id}"): print(result["captured"]["specials"][0]["json"]["items"][0]["title"])`;
      expect(await runPython(bed, folder, program)).not.toBe('');
      const lines = await runGleaner(bed.stack, folder, ['job', 'results', created.id, '--format', 'ndjson']);
      expect(lines.stdout.trim().split('\n')).toHaveLength(1);
      const args = ['job', 'results', created.id, '--format', 'csv', '--rows', 'specials'];
      const { stdout } = await runGleaner(bed.stack, folder, args);
      expect(stdout.split('\r\n')[1]).toMatch(/^Specials,.+,\d+(\.\d+)?,http/);
    });

    it('is captured by the command line', async () => {
      const args = ['scrape', url, '--capture', 'specials=/api/specials.json', '--formats', 'text'];
      const { code, stdout } = await runGleaner(bed.stack, folder, args);
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ captured: { specials: [{ status: 200 }] } });
    });
  });
}
