import { FILE_PART_BYTES } from '@gleaner/contracts';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createStores, type Stores } from '../src/index.ts';
import { BACKENDS } from './backends.ts';
import { useBackend } from './use-backend.ts';

const NOW = new Date();
const TERMS = { now: NOW, retentionMs: 3_600_000 };
const LATER = new Date(NOW.getTime() + 20 * 60_000);
const TRAITS = { name: 'a.zip', contentType: 'application/zip', sha256: 'ab'.repeat(32) };

describe.each(BACKENDS)('files on $name', ({ start }) => {
  let stores: Stores;
  let countParts: () => Promise<number>;
  let owner: { readonly id: string; readonly accountId: string; readonly jobId?: string };
  let last = 0;
  useBackend(start, (connected) => {
    stores = createStores(connected);
    countParts = () => connected.models.fileParts.countDocuments();
  });
  beforeEach(() => {
    last += 1;
    owner = { id: `fil_${last}`, accountId: `acc_${last}` };
  });

  async function store(parts: readonly Buffer[], given = owner, now = NOW): Promise<void> {
    for (const [index, content] of parts.entries())
      await stores.files.insertPart(given, { index, content }, { ...TERMS, now });
    const size = parts.reduce((sum, { length }) => sum + length, 0);
    await stores.files.finishFile(given, { ...TRAITS, size }, { ...TERMS, now });
  }

  async function read({ id, accountId } = owner, now = NOW): Promise<Buffer | null> {
    const file = await stores.files.findFile(id, accountId, now);
    return file && Buffer.concat(await file.open().toArray());
  }

  const PARTS = [Buffer.alloc(FILE_PART_BYTES, 'a'), Buffer.from('the rest')];

  it('are read as they were stored, also those without a byte', async () => {
    await store(PARTS);
    const file = await stores.files.findFile(owner.id, owner.accountId, NOW);
    expect(file).toMatchObject({ ...TRAITS, size: FILE_PART_BYTES + 8 });
    expect(await read()).toEqual(Buffer.concat(PARTS));
    const empty = { ...owner, id: `${owner.id}_empty` };
    await store([], empty);
    expect(await read(empty)).toHaveLength(0);
  });

  it('are the same, however often a step is repeated', async () => {
    await store(PARTS);
    await store(PARTS);
    expect(await read()).toEqual(Buffer.concat(PARTS));
  });

  it('do not exist before their end, nor without a part, nor for another account, nor after their time', async () => {
    const [first = Buffer.alloc(0), rest = first] = PARTS;
    await stores.files.insertPart(owner, { index: 0, content: first }, TERMS);
    expect(await read()).toBeNull();
    const finish = () =>
      stores.files.finishFile(owner, { ...TRAITS, size: first.length + rest.length }, TERMS);
    await expect(finish()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await stores.files.insertPart(owner, { index: 1, content: rest }, TERMS);
    await finish();
    expect(await read()).not.toBeNull();
    expect(await read({ ...owner, accountId: 'acc_other' })).toBeNull();
    expect(await read(owner, new Date(NOW.getTime() + TERMS.retentionMs))).toBeNull();
  });

  it('leave nothing when they are discarded, and stay once they are whole', async () => {
    const before = await countParts();
    await stores.files.insertPart(owner, { index: 0, content: Buffer.from('a') }, TERMS);
    await stores.files.discard({ ...owner, accountId: 'acc_other' });
    expect(await countParts()).toBe(before + 1);
    await stores.files.discard(owner);
    expect(await countParts()).toBe(before);
    await store(PARTS);
    await stores.files.discard(owner);
    expect(await read()).not.toBeNull();
  });

  it('leave nothing a while after they were given up', async () => {
    const before = await countParts();
    await stores.files.insertPart(owner, { index: 0, content: Buffer.from('a') }, TERMS);
    expect(await stores.files.deleteUnfinished(NOW, 10)).toBe(0);
    expect(await stores.files.deleteUnfinished(LATER, 10)).toBe(1);
    expect(await countParts()).toBe(before);
  });

  it('give way to newer ones when the account is over its quota', async () => {
    const ids = [0, 1, 2].map((at) => ({ ...owner, id: `${owner.id}_${at}` }));
    for (const [at, each] of ids.entries())
      await store([Buffer.from('12345')], each, new Date(NOW.getTime() + at));
    const before = await countParts();
    await stores.files.deleteExcess(owner.accountId, 10);
    expect(await Promise.all(ids.map(async (each) => (await read(each)) !== null))).toEqual([
      false,
      true,
      true,
    ]);
    expect(await countParts()).toBe(before - 1);
  });

  it('are deleted with their job', async () => {
    const ofJob = { ...owner, jobId: `job_${last}` };
    await store(PARTS, ofJob);
    expect(await stores.files.deleteSome(ofJob.jobId, 5)).toBe(1);
    expect(await stores.files.deleteSome(ofJob.jobId, 5)).toBe(0);
    expect(await read(ofJob)).toBeNull();
  });
});
