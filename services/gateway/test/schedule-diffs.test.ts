import { AppError, createId, toFailure } from '@gleaner/contracts';
import { eventually } from '@gleaner/test-kit';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { SeededPage } from './support/scripted-orchestrator.ts';
import { seedRun } from './support/seed-runs.ts';
import { useSchedules } from './support/use-schedules.ts';

const on = useSchedules();
const { ask, create } = on;
let scheduleId: string;

beforeAll(async () => {
  on.owner = await on.bed.createKey();
  scheduleId = await create({ formats: ['markdown'] });
  await run(page('a'));
  await run(page('b'));
  // The first difference waits for a thread to start, which may take longer than a difference may.
  await eventually(async () => expect((await diff()).json.diff.pages[0].text).toContain('\n-a\n+b\n'));
});
beforeEach(async () => {
  scheduleId = await create({ formats: ['markdown'] });
});

const page = (markdown: string): SeededPage => ({ formats: { markdown } });
const FAILED: SeededPage = { failure: toFailure(new AppError('NOT_FOUND')) };
const run = (...pages: SeededPage[]) => seedRun(on.bed, { accountId: on.owner.accountId, scheduleId, pages });
const diff = (query = '') => ask(`/v1/schedules/${scheduleId}/diff${query}`);

describe('the difference of two runs', () => {
  it('is that of the last two, page by page', async () => {
    await run(page('other'));
    const from = await run(page('# A\n\n30\n'), page('same'), page('gone'), FAILED);
    const to = await run(page('# A\n\n18\n'), page('same'), FAILED, page('new'));
    const { json } = await diff();
    expect(json.diff).toEqual({
      from: { jobId: from, at: expect.any(String) },
      to: { jobId: to, at: expect.any(String) },
      pages: [
        { url: 'https://example.com/0', added: 1, removed: 1, text: expect.stringContaining('\n-30\n+18\n') },
      ],
      unchanged: 1,
      notCompared: 1,
      omitted: 0,
    });
    const text = await diff('?format=text');
    expect(text.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text.text).toBe(json.diff.pages[0].text);
  });

  it('is that of named runs, and of one page', async () => {
    const [one, two] = [await run(page('1\n'), page('a\n')), await run(page('2\n'), page('b\n'))];
    const three = await run(page('3\n'), page('b\n'));
    const changed = async (query: string) =>
      (await diff(query)).json.diff.pages.map(({ text }: { text: string }) => text.split('\n').slice(3, -1));
    expect(await changed(`?from=${one}`)).toEqual([
      ['-1', '+3'],
      ['-a', '+b'],
    ]);
    expect(await changed(`?to=${two}`)).toEqual([
      ['-1', '+2'],
      ['-a', '+b'],
    ]);
    expect(await changed(`?from=${three}&to=${one}&url=https://EXAMPLE.com/1`)).toEqual([['-b', '+a']]);
    expect(await changed(`?from=${two}&to=${three}&url=https://example.com/1`)).toEqual([]);
  });

  it('needs two finished runs with pages in common', async () => {
    const fails = async (query = '') => {
      const { error } = (await diff(query)).json;
      return [error.code, error.message];
    };
    expect(await fails()).toEqual(['NOTHING_TO_COMPARE', 'No run of the schedule has finished with pages.']);
    const first = await run(page('a'), FAILED);
    expect(await fails()).toEqual([
      'NOTHING_TO_COMPARE',
      `The schedule has no finished run with pages before ${first}.`,
    ]);
    const second = await run(FAILED, page('b'));
    expect(await fails()).toEqual([
      'NOTHING_TO_COMPARE',
      'The runs have no page in common that succeeded in both.',
    ]);
    expect(await fails(`?from=${second}&to=${second}&url=https://example.com/9`)).toEqual([
      'NOTHING_TO_COMPARE',
      'The runs have no page in common with this URL that succeeded in both.',
    ]);
    const running = await run('waiting');
    const unfinished = ['NOTHING_TO_COMPARE', `The run ${running} has not finished.`];
    expect(await fails(`?to=${running}`)).toEqual(unfinished);
    const { jobs, clock } = on.bed.stores;
    await jobs.cancel(on.owner.accountId, running, clock.now());
    expect(await fails(`?to=${running}`)).toEqual(unfinished);
    for (const id of [createId('job'), await seedElsewhere()]) {
      expect(await fails(`?from=${id}`)).toEqual(['JOB_NOT_FOUND', `The schedule has no run ${id}.`]);
    }
  });

  it('says which run has kept no Markdown', async () => {
    const from = await run({ data: { a: 1 } });
    const to = await run(page('b'));
    const { error } = (await diff()).json;
    expect(error).toMatchObject({
      code: 'NOTHING_TO_COMPARE',
      message: `The run ${from} has kept no Markdown.`,
      suggestion: expect.stringContaining('"formats": ["markdown"]'),
    });
    expect((await diff(`?from=${to}&to=${from}&url=https://example.com/0`)).json.error.message).toBe(
      `The run ${from} has kept no Markdown of this page.`,
    );
  });

  it('of hostile texts ends in time, without the texts that take too much', async () => {
    const long = 'x'.repeat(500_000);
    const lines = (word: string) => Array.from({ length: 100_000 }, (_, at) => `${word}${at}`).join('\n');
    await run(page(lines('a')), page(long), page('\n'.repeat(500_000)), page('a'));
    await run(page(lines('b')), page(`${long}y`), page('\n'.repeat(500_001)), page('b'));
    const { json } = await diff();
    const texts = json.diff.pages.map(({ text }: { text: string | null }) => text);
    expect(texts.length + json.diff.omitted).toBe(4);
    expect(texts[0]).toBeNull();
    expect(Math.max(...texts.map((text: string | null) => text?.length ?? 0))).toBeLessThan(150_000);
  });

  it('is shown to the owner alone', async () => {
    const stranger = await on.bed.createKey();
    const { json } = await ask(`/v1/schedules/${scheduleId}/diff`, { key: stranger.key });
    expect(json.error.code).toBe('SCHEDULE_NOT_FOUND');
    expect((await diff('?format=html')).json.error.code).toBe('INVALID_REQUEST');
  });
});

/** Stores a run of another schedule of the account. */
async function seedElsewhere(): Promise<string> {
  const other = await create();
  return await seedRun(on.bed, { accountId: on.owner.accountId, scheduleId: other, pages: [page('a')] });
}
