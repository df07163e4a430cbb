import type { Change, ChannelMessage } from '@gleaner/contracts';
import { type SeededPage, seedJob } from './scripted-orchestrator.ts';
import type { TestBed } from './test-bed.ts';

/** A run of a schedule with what it told and found. */
export interface SeededRun {
  readonly accountId: string;
  readonly scheduleId: string;
  readonly pages?: readonly SeededPage[];
  readonly messages?: readonly Omit<ChannelMessage, 'to'>[];
  readonly changes?: readonly Change[];
  /** Number of further changes that are not kept. */
  readonly omitted?: number;
  /** When it finished, instead of now. */
  readonly completedAt?: Date;
}

/** Stores a finished run as the orchestrator would, and returns its id. */
export async function seedRun(
  { stores, database }: Pick<TestBed, 'stores' | 'database'>,
  {
    accountId,
    scheduleId,
    pages = [{ data: {} }],
    messages = [],
    changes,
    omitted = 0,
    completedAt,
  }: SeededRun,
): Promise<string> {
  const { id } = await seedJob(stores, accountId, pages);
  const expiresAt = new Date(Date.now() + 3_600_000);
  const key = `${id}.1`;
  const texts = messages.map((message) => JSON.stringify({ ...message, to: ['chn_1'] }));
  if (texts.length > 0) await stores.tellings.put(key, texts, expiresAt);
  const stored = (changes ?? []).map((change) => JSON.stringify(change));
  await stores.changes.put(id, stored, expiresAt);
  const counts = { added: 0, removed: 0, changed: 0 };
  for (const { kind } of changes ?? []) counts[kind] += 1;
  const comparison = { since: 'job_0', ...counts, stored: stored.length, omitted, keysJson: '{}' };
  await database.models.jobs.updateOne(
    { _id: id },
    {
      scheduleId,
      ...(texts.length > 0 && { told: { key, messages: texts.length } }),
      ...(changes && { comparison }),
      ...(completedAt && { completedAt }),
    },
  );
  return id;
}
