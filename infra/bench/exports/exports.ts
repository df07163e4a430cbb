import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createId, DEFAULT_ACCOUNT_ID, isTerminal } from '@gleaner/contracts';
import { pageIdOf } from '@gleaner/storage';
import { type ChaosStack, startChaosStack } from '../../chaos/stack/chaos-stack.ts';
import { startTokenOrigin } from '../../chaos/token-origin.ts';
import { processUsage } from '../hostile/process-usage.ts';
import { parseCsv } from './parse-csv.ts';

const PAGES = 10_000;
const TEXT_CHARS = 20 * 1024;
const CHUNK = 500;
const MIB = 1024 * 1024;
const DAY_MS = 24 * 3600 * 1000;

interface PageData {
  readonly token: string;
  readonly text: string;
}

/** Downloads a large job in all three formats, compares each with the stored results, and prints the gateway's memory. */
export async function benchExports(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gleaner-exports-'));
  const origin = await startTokenOrigin();
  const egressAllow = [`127.0.0.1:${origin.port}`];
  const stack = await startChaosStack({
    dataDir,
    egressAllow,
    credits: PAGES * 2,
    brokerKind: 'embedded',
    databaseKind: 'embedded',
  });
  try {
    const jobId = await storeJob(stack, origin.urlOf);
    const megabytes = ((PAGES * TEXT_CHARS) / MIB).toFixed(0);
    console.log(`exports   ${PAGES} pages with ${megabytes} MiB of data`);
    console.log(`exports   gateway before ${await gatewayMemory(stack)}`);
    for (const [format, read] of Object.entries(READERS)) await measure(format, read, { stack, jobId });
  } finally {
    await stack.stop(async () => {});
    await origin.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Stores a job whose pages are finished except the last one, which is scraped as usual and finishes the job. */
async function storeJob({ stores }: ChaosStack, urlOf: (token: string) => string): Promise<string> {
  const id = createId('job');
  const expiresAt = new Date(Date.now() + DAY_MS);
  const optionsJson = JSON.stringify({ selectors: { token: 'h1', text: 'title' } });
  const job = {
    id,
    accountId: DEFAULT_ACCOUNT_ID,
    keyId: null,
    name: 'Exports',
    totalUrls: PAGES,
    optionsJson,
  };
  await stores.jobs.insertDraft({ ...job, createdAt: new Date() });
  const pages = Array.from({ length: PAGES }, (_, index) => {
    const url = urlOf(String(index));
    return { index, url, host: new URL(url).host };
  });
  await stores.pages.insertPages(id, pages, expiresAt);
  for (let start = 0; start < PAGES - 1; start += CHUNK) {
    const chunk = pages.slice(start, Math.min(start + CHUNK, PAGES - 1));
    const attempts = chunk.map(({ index }) => ({ id: pageIdOf(id, index), attempt: 1 }));
    await stores.pages.claim(
      attempts.map((attempt) => attempt.id),
      expiresAt,
    );
    const results = chunk.map(({ url, index }, place) => ({
      ...(attempts[place] ?? { id: '', attempt: 1 }),
      json: JSON.stringify({ url, data: dataOf(index), metadata: { url, credits: 1 } }),
    }));
    await stores.results.insertResults(results, expiresAt);
    const price = { base: 1 };
    await stores.pages.end(
      attempts.map((attempt) => ({ ...attempt, state: 'succeeded' as const, price })),
      new Date(),
    );
  }
  await stores.jobs.publishDrafts([id]);
  for (;;) {
    const [stored] = await stores.jobs.findJobs([id]);
    if (stored && isTerminal(stored.status)) return id;
    await sleep(200);
  }
}

/** Builds a text with every character that a format could get wrong, padded to a size. */
function dataOf(index: number): PageData {
  const token = `${index}, "quoted"\r\nline ${String.fromCodePoint(0x1f600 + (index % 50))}`;
  return { token, text: `=${index}`.padEnd(TEXT_CHARS, 'filler, ') };
}

const READERS: Readonly<Record<string, (text: string) => Iterable<PageData>>> = {
  json: (text) => (JSON.parse(text) as { data: PageData }[]).map(({ data }) => data),
  *ndjson(text) {
    for (let start = 0; start < text.length; ) {
      const end = text.indexOf('\n', start);
      yield (JSON.parse(text.slice(start, end)) as { data: PageData }).data;
      start = end + 1;
    }
  },
  *csv(text) {
    const [, ...records] = parseCsv(text);
    for (const [, , token = '', cell = ''] of records) yield { token, text: cell.replace(/^'/, '') };
  },
};

async function measure(
  format: string,
  read: (text: string) => Iterable<PageData>,
  { stack, jobId }: { stack: ChaosStack; jobId: string },
): Promise<void> {
  const startedAtMs = performance.now();
  const response = await fetch(`${stack.url}/v1/jobs/${jobId}/results?format=${format}`, {
    headers: { authorization: `Bearer ${stack.apiKey}` },
  });
  const text = await response.text();
  const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1);
  let count = 0;
  let differing = 0;
  for (const data of read(text)) {
    const expected = count < PAGES - 1 ? dataOf(count) : { token: String(count), text: 'Unit' };
    if (data.token !== expected.token || data.text !== expected.text) differing += 1;
    count += 1;
  }
  const size = `${(text.length / MIB).toFixed(0)} MiB in ${seconds} s`;
  const memory = await gatewayMemory(stack);
  console.log(
    `exports   ${format.padEnd(6)} ${count} results, ${differing} differ, ${size}; gateway ${memory}`,
  );
}

async function gatewayMemory({ replicas }: ChaosStack): Promise<string> {
  const pid = replicas.find(({ service }) => service === 'gateway')?.process.pid ?? 0;
  return `at most ${((await processUsage(pid)).peakBytes / MIB).toFixed(0)} MiB so far`;
}
