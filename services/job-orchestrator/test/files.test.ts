import {
  createFileId,
  createId,
  FILE_PART_BYTES,
  type FileCommand,
  type StoredFile,
} from '@gleaner/contracts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { found, type ScriptedScraper } from './scripted-scraper.ts';
import { startTestBed, type TestBed, urlsOf } from './start-test-bed.ts';

const TRAITS = { name: 'a.zip', contentType: 'application/zip', sha256: 'ab'.repeat(32) };

let bed: TestBed;
let scraper: ScriptedScraper;

beforeEach(async () => {
  bed = await startTestBed();
  scraper = await bed.startScraper();
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
});

async function carryOut(fileId: string, step: FileCommand['step'], jobId?: string): Promise<void> {
  const command = { accountId: bed.accountId, ...(jobId && { jobId }), fileId, step };
  await bed.broker.request('files.commands', command, { timeoutMs: 240_000 });
}

async function upload(bytes: Buffer, jobId?: string, id: string = createId('fil')): Promise<StoredFile> {
  for (let index = 0; index * FILE_PART_BYTES < bytes.length; index += 1) {
    const part = bytes.subarray(index * FILE_PART_BYTES, (index + 1) * FILE_PART_BYTES);
    await carryOut(id, { type: 'write', index, content: part.toString('base64') }, jobId);
  }
  const file = { ...TRAITS, size: bytes.length };
  await carryOut(id, { type: 'finish', file }, jobId);
  return { id, ...file };
}

const find = (id: string) => bed.stores.files.findFile(id, bed.accountId, new Date());

describe('the files of scrapers', () => {
  it('are stored part by part', async () => {
    await bed.startOrchestrator();
    const bytes = Buffer.alloc(FILE_PART_BYTES + 7, 'kettle');
    const { id } = await upload(bytes);
    const file = await find(id);
    expect(Buffer.concat((await file?.open().toArray()) ?? []).equals(bytes)).toBe(true);
  });

  it('are not there without a part, and leave nothing when they are discarded', async () => {
    await bed.startOrchestrator();
    const id = createId('fil');
    await carryOut(id, { type: 'write', index: 0, content: 'aaaa' });
    const finish = carryOut(id, { type: 'finish', file: { ...TRAITS, size: FILE_PART_BYTES + 1 } });
    await expect(finish).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await find(id)).toBeNull();
    await carryOut(id, { type: 'discard' });
    expect([await bed.count('files'), await bed.count('file_parts')]).toEqual([0, 0]);
  });

  it('give way to newer ones when the account is over its quota', async () => {
    await bed.startOrchestrator({ FILE_QUOTA_BYTES: String(1024 * 1024) });
    const [old, recent] = [await upload(Buffer.alloc(600_000)), await upload(Buffer.alloc(600_000))];
    expect([await find(old.id), await find(recent.id)]).toEqual([null, expect.anything()]);
    expect(await bed.count('file_parts')).toBe(1);
  });

  it('of an attempt whose worker died are deleted with the attempt, and those of the next one stay', async () => {
    await bed.startOrchestrator();
    const uploaded: string[] = [];
    scraper.follow(async ({ body }) => {
      const id = createFileId(body.pageId, body.attempt);
      uploaded.push(id);
      const file = await upload(Buffer.from('kettle'), body.jobId, id);
      if (body.attempt === 1) return { kind: 'lost' };
      const { dataJson: _data, ...outcome } = found(body) as Extract<
        ReturnType<typeof found>,
        { kind: 'found' }
      >;
      return { ...outcome, file };
    });
    const { id } = await bed.create({ urls: urlsOf(1), download: true });
    await bed.untilJob(id, 'completed');
    expect(uploaded).toHaveLength(2);
    const [lost = '', kept = ''] = uploaded;
    expect([await find(lost), await find(kept)]).toEqual([null, expect.anything()]);
    expect([await bed.count('files'), await bed.count('file_parts')]).toEqual([1, 1]);
  });

  it('are named by the results of their pages', async () => {
    await bed.startOrchestrator();
    const files = new Map<string, StoredFile>();
    scraper.follow(async ({ body }) => {
      const file = await upload(Buffer.from(body.request.url), body.jobId);
      files.set(body.request.url, file);
      const { dataJson: _data, ...outcome } = found(body) as Extract<
        ReturnType<typeof found>,
        { kind: 'found' }
      >;
      return { ...outcome, file };
    });
    const { id } = await bed.create({ urls: urlsOf(2), download: true });
    await bed.untilJob(id, 'completed');
    const pages = await bed.stores.pages.findProcessed(id, { limit: 10 });
    const results = await bed.stores.results.findResults(pages);
    for (const page of pages) {
      const result = JSON.parse(results.get(page.id) ?? '{}');
      expect(result.file).toEqual(files.get(page.url));
      expect(result).not.toHaveProperty('data');
    }
    expect(scraper.commands.every(({ request }) => request.download === true)).toBe(true);
  });
});
