import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_ACCOUNT_ID } from '@gleaner/contracts';
import { eventually, startOrigin, startWebhookReceiver } from '@gleaner/test-kit';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runCommand } from '../../backup/run-command.ts';
import { openDatabase } from '../../keys/open-database.ts';
import { type Stack, startStack } from '../start-stack.ts';

const URLS = 160;
const BALANCE = 1000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-backup-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('restores a job that was running, which finishes with nothing lost and nothing charged twice', async () => {
  await using origin = await startOrigin();
  await using receiver = await startWebhookReceiver();
  const places = { before: join(folder, 'before'), after: join(folder, 'after') };
  const file = join(folder, 'archive.gz');
  const start = (dataDir: string, apiKey?: string) =>
    startStack({
      dataDir,
      apiKey,
      announce: () => {},
      egressAllow: [`127.0.0.1:${origin.port}`, `127.0.0.1:${receiver.port}`],
    });

  let stack = await start(places.before);
  const { apiKey } = stack;
  await onStores(places.before, ({ accounts }) => accounts.setBalance(DEFAULT_ACCOUNT_ID, BALANCE));
  const urls = Array.from({ length: URLS }, (_, page) => `${origin.url}/slow/200?page=${page}`);
  const { job } = await call(stack, '/v1/jobs', { urls, webhook: receiver.url });
  await eventually(
    async () => expect((await call(stack, `/v1/jobs/${job.id}`)).job.completedUrls).toBeGreaterThan(40),
    { intervalMs: 100 },
  );
  const created = await runCommand(
    { action: 'create', file },
    { dataDir: places.before, mongodbUri: undefined },
  );
  expect(created).toContain('documents in');
  const atBackup = (await call(stack, `/v1/jobs/${job.id}`)).job;
  expect(atBackup.status).toBe('running');
  await expect(
    runCommand({ action: 'restore', file }, { dataDir: places.before, mongodbUri: undefined }),
  ).rejects.toThrow('Gleaner runs on the data folder');
  await stack.stop();

  await runCommand({ action: 'restore', file }, { dataDir: places.after, mongodbUri: undefined });
  stack = await start(places.after, apiKey);
  try {
    await eventually(
      async () => expect((await call(stack, `/v1/jobs/${job.id}`)).job.status).toBe('completed'),
      { intervalMs: 500 },
    );
    const finished = (await call(stack, `/v1/jobs/${job.id}`)).job;
    expect(finished).toMatchObject({ completedUrls: URLS, failedUrls: 0, creditsUsed: URLS });
    expect(finished.results.map((result: { url: string }) => result.url)).toEqual(urls);
    expect((await call(stack, '/v1/usage')).usage).toMatchObject({ used: URLS, remaining: BALANCE - URLS });
    await eventually(() =>
      expect(receiver.deliveries.map(({ json }) => json)).toMatchObject([
        { type: 'job.completed', data: { job: { id: job.id } } },
      ]),
    );
    await eventually(() =>
      onStores(places.after, async ({ accounts }) => {
        expect(await accounts.findAccount(DEFAULT_ACCOUNT_ID)).toMatchObject({ balance: BALANCE - URLS });
      }),
    );
  } finally {
    await stack.stop();
  }
}, 900_000);

type Stores = Awaited<ReturnType<typeof openDatabase>>['stores'];

async function onStores<Result>(dataDir: string, work: (stores: Stores) => Promise<Result>): Promise<Result> {
  const opened = await openDatabase(dataDir, undefined);
  try {
    return await work(opened.stores);
  } finally {
    await opened.close();
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the test asserts the shape.
async function call({ url, apiKey }: Stack, path: string, body?: object): Promise<any> {
  const response = await fetch(url + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return await response.json();
}
