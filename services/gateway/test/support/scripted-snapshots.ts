import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import type { Broker, Subscription } from '@gleaner/broker';
import type {
  ExtractResponse,
  PackedPage,
  ParseCommand,
  SnapshotCommand,
  TestResult,
} from '@gleaner/contracts';
import { AppError, defined } from '@gleaner/contracts';
import type { HealthReport, Stores } from '@gleaner/storage';
import { untilReady } from '@gleaner/test-kit';

/** Returns a page as scrapers return it to be kept. */
export function packedPage(source: string): PackedPage {
  const packed = brotliCompressSync(source).toString('base64');
  return { kind: 'html', baseUrl: 'https://example.com/', source: packed };
}

/** Starts a worker on the real broker that answers with plain contents; a view is the page as it came. */
export async function startScriptedSnapshots(
  broker: Broker,
  commands: SnapshotCommand[] = [],
  untilReleased: (command: SnapshotCommand) => Promise<void> = async () => {},
): Promise<Subscription> {
  const subscription = broker.respond(
    'snapshots.commands',
    async ({ body }) => {
      if ('file' in body) return { content: brotliCompressSync(parsedFrom(body)).toString('base64') };
      commands.push(body);
      await untilReleased(body);
      if (body.task.type === 'solve') return solvedBy(body.task);
      return { content: brotliCompressSync(contentFor(body)).toString('base64') };
    },
    { concurrency: 10 },
  );
  await untilReady(broker);
  return subscription;
}

/** Returns the name and the request of a file as its Markdown; that of a broken one is not read. */
function parsedFrom({ file, request }: ParseCommand): string {
  if (file.name.includes('broken')) throw new AppError('UNSUPPORTED_CONTENT', { message: 'It is broken.' });
  const bytes = brotliDecompressSync(Buffer.from(file.bytes, 'base64')).toString();
  return JSON.stringify({
    formats: { markdown: JSON.stringify([file.name, file.contentType, bytes, request]) },
  });
}

/** A model that fails where the prompt says so, and otherwise costs three credits. */
function solvedBy({ extract }: Extract<SnapshotCommand['task'], { type: 'solve' }>) {
  if (extract.prompt === 'fail')
    throw new AppError('MODEL_FAILED', { message: 'The model refused to answer.' });
  const llm = { model: 'test-model', tokensIn: 1000, tokensOut: 500, cached: false, evidence: {} };
  const proposal = { selectors: { title: 'h1' }, data: { title: 'A page' }, unsolved: [], llm, credits: 3 };
  const content = JSON.stringify({ success: true, candidates: [], proposal });
  return { content: brotliCompressSync(content).toString('base64'), credits: 3 };
}

function contentFor({ page, task }: SnapshotCommand): string {
  if (task.type === 'view') return brotliDecompressSync(Buffer.from(page.source, 'base64')).toString();
  if (task.type === 'repair')
    return JSON.stringify(task.paths.map(([name = '']) => REPAIRS[name] ?? { note: 'It is gone.' }));
  if (task.type === 'suggest') return '{"success":true,"candidates":[]}';
  if (task.type === 'read') return JSON.stringify(readingOf(task));
  if (task.type === 'test') return JSON.stringify(comparisonOf(page));
  return '{"success":true,"data":{"title":"A page"},"matches":{"title":[3]}}';
}

/** A test is red where its page says so. */
function comparisonOf({ source }: PackedPage): Omit<TestResult, 'name' | 'duration'> {
  const isRed = brotliDecompressSync(Buffer.from(source, 'base64')).includes('red');
  const differences = isRed ? [{ path: 'title', expected: '"A"', actual: '"B"' }] : [];
  return { passed: !isRed, verdict: 'content', differences };
}

function readingOf({ requestId, url }: Extract<SnapshotCommand['task'], { type: 'read' }>): ExtractResponse {
  const verdict = { page: 'content' as const, basis: 'inferred' as const, signals: [] };
  const timestamp = new Date().toISOString();
  return {
    success: true,
    data: { title: 'A page' },
    requestId,
    metadata: { ...defined({ url }), timestamp, duration: 1, credits: 0, verdict },
  };
}

const REPAIR = { before: ['£1'], now: ['£1'], reasons: ['Relies on the class .cost.'] };
/** Its proposals for fields, by their first names. */
const REPAIRS: Readonly<Record<string, object>> = {
  price: { selector: '.price, .cost', isVerified: true, ...REPAIR },
  stock: { selector: '.left', isVerified: false, ...REPAIR },
  books: {
    selector: { selector: '.tile', all: true, fields: { title: 'h3' } },
    isVerified: true,
    ...REPAIR,
  },
};

/** Stores the health of a schedule some of whose fields have fallen, with a page of before and one of now. */
export async function seedHealth(
  stores: Pick<Stores, 'health' | 'snapshots'>,
  { id: scheduleId, accountId }: { readonly id: string; readonly accountId: string },
  paths: readonly string[] = ['price'],
): Promise<void> {
  const kept = { accountId, now: new Date(), retentionMs: 60_000, quotaBytes: 1024 * 1024 };
  const keep = async (html: string) =>
    await stores.snapshots.insertSnapshot({ ...kept, page: packedPage(html) });
  const at = new Date().toISOString();
  const page = async (html: string) => [{ url: 'https://example.com/', snapshotId: await keep(html), at }];
  const measures = (fill: number) => ({ fill, count: null, conversion: null, shape: null });
  const field = (path: string) => ({
    path,
    health: 'broken' as const,
    before: measures(1),
    now: measures(0),
    fallen: { path, measure: 'fill' as const, before: 1, now: 0, jobId: 'job_2', at },
  });
  const fine = { path: 'title', health: 'ok' as const, before: measures(1), now: measures(1) };
  const report: HealthReport = {
    runs: 5,
    lastJobId: 'job_2',
    fields: [...paths.map(field), fine],
    good: await page('<b class="price">£1</b>'),
    bad: await page('<i class="cost">£1</i>'),
  };
  const state = { revision: 1, health: 'broken' as const, evidenceUrls: [], stateJson: '{}' };
  const reportJson = JSON.stringify(report);
  await stores.health.replaceHealth(
    { scheduleId, accountId, ...state, reportJson },
    undefined,
    new Date(Date.now() + 60_000),
  );
}
