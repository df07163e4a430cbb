import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runGleaner } from './support/run-gleaner.ts';
import { sendJson, startService } from './support/start-service.ts';

const WARNINGS = [{ field: 'price', code: 'SELECTOR_NO_MATCH', message: 'The selector matches nothing.' }];
const startExtractions = (result: object) =>
  startService((response) => sendJson(response, 200, { metadata: {}, requestId: 'req_1', ...result }));

describe('gleaner extract', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gleaner-extract-'));
    await writeFile(join(folder, 'page.html'), '\uFEFF<h1>Käse</h1>');
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('sends the file with the options, and prints data and warnings', async () => {
    await using service = await startExtractions({
      data: { title: 'Käse', price: null },
      warnings: WARNINGS,
    });
    const words = [
      'extract',
      join(folder, 'page.html'),
      '-s',
      'title=h1',
      '--base',
      'a.test',
      '--overlays',
      'hide',
    ];
    const { code, stdout, stderr } = await runGleaner(words, { env: service.env });
    expect([code, JSON.parse(stdout), stderr]).toEqual([
      0,
      { title: 'Käse', price: null },
      'warning: price: The selector matches nothing.\n',
    ]);
    expect(service.received.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /v1/extract']);
    expect(JSON.parse(service.received[0]?.body ?? '')).toEqual({
      html: '<h1>Käse</h1>',
      url: 'https://a.test',
      selectors: { title: 'h1' },
      overlays: 'hide',
    });
  });

  it('reads the standard input for -, and prints CSV', async () => {
    await using service = await startExtractions({ data: { cards: [{ name: 'a' }, { name: 'b' }] } });
    const words = ['extract', '-', '--format', 'csv'];
    const { stdout } = await runGleaner(words, { env: service.env, input: '<p>' });
    expect(stdout).toBe('name\r\na\r\nb\r\n');
    expect(JSON.parse(service.received[0]?.body ?? '')).toEqual({ html: '<p>' });
  });

  it.each([
    [['extract', '/nowhere.html'], '/nowhere.html could not be read (ENOENT).'],
    [['extract', '-'], 'There is no HTML to read.'],
    [['extract'], "Missing required argument 'file'"],
  ])('says what is wrong with %j', async (words, message) => {
    const { code, stderr } = await runGleaner(words);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
