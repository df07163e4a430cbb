import { describe, expect, it } from '@jest/globals';
import { seedJob } from './support/scripted-orchestrator.ts';
import { useSchedules } from './support/use-schedules.ts';

const on = useSchedules();
const { ask, create, patch } = on;

describe('the runs of a schedule', () => {
  it('are shown by their last one, with its current state', async () => {
    const id = await create();
    const { id: jobId } = await seedJob(on.bed.stores, on.owner.accountId, [{ data: { a: '1' } }]);
    const noted = { lastJobId: jobId, lastStatus: 'pending', lastRunAt: new Date() };
    await on.bed.database.models.schedules.updateOne({ _id: id }, noted);
    await on.bed.database.models.jobs.updateOne({ _id: jobId }, { status: 'running' });
    const shown = [
      (await ask(`/v1/schedules/${id}`)).json.schedule,
      (await ask('/v1/schedules')).json.schedules[0],
      (await patch(id, { name: 'New' })).json.schedule,
      (await ask(`/v1/schedules/${id}/pause`, { method: 'POST' })).json.schedule,
    ];
    expect(shown.map(({ lastStatus }) => lastStatus)).toEqual(['running', 'running', 'running', 'running']);
    await on.bed.database.models.jobs.deleteOne({ _id: jobId });
    expect((await ask(`/v1/schedules/${id}`)).json.schedule.lastStatus).toBe('pending');
  });

  it('start now when asked to, and answer with the job and its Location', async () => {
    const id = await create();
    const { status, headers, json } = await ask(`/v1/schedules/${id}/run`, { method: 'POST' });
    expect(status).toBe(202);
    expect(headers.location).toBe(`/v1/jobs/${json.job.id}`);
    expect(json.job).toMatchObject({ status: 'pending', scheduleId: id });
  });

  it('are the jobs that it has started, newest first, and no others', async () => {
    const id = await create();
    const other = await create();
    for (const [index, scheduleId] of [id, other, id, id].entries()) {
      const jobId = `job_run${index}${id.slice(4)}`;
      const draft = {
        accountId: on.owner.accountId,
        keyId: null,
        name: `Run ${index}`,
        totalUrls: 1,
        optionsJson: '{}',
      };
      await on.bed.stores.jobs.insertDraft({ id: jobId, ...draft, scheduleId, createdAt: new Date() });
      await on.bed.stores.jobs.publishDrafts([jobId]);
    }
    const { json } = await ask(`/v1/schedules/${id}/runs?limit=2`);
    expect(json.runs.map(({ name }: { name: string }) => name)).toEqual(['Run 3', 'Run 2']);
    expect(json.pagination).toEqual({ limit: 2, offset: 0, total: 3, hasMore: true });
  });

  it('say whether they found a change, and list the changes, each with the page', async () => {
    const id = await create();
    const change = (index: number) => ({
      url: 'https://example.com/',
      path: `a${index}`,
      kind: 'changed',
      before: 1,
      after: 'x'.repeat(3000),
    });
    const runs: (object[] | undefined)[] = [
      undefined,
      [],
      Array.from({ length: 150 }, (_, at) => change(at)),
    ];
    const ids: string[] = [];
    for (const changes of runs) {
      const job = await seedJob(on.bed.stores, on.owner.accountId, [{ data: { a: '1' }, verdict: 'login' }]);
      ids.unshift(job.id);
      const texts = (changes ?? []).map((each) => JSON.stringify(each));
      await on.bed.stores.changes.put(job.id, texts, new Date(Date.now() + 60_000));
      const comparison = {
        since: 'job_0',
        added: 0,
        removed: 0,
        changed: texts.length,
        stored: texts.length,
        omitted: 7,
        keysJson: '{"cards":"sku"}',
        ...(texts.length > 0 && { notCompared: 2 }),
      };
      const update = { scheduleId: id, ...(changes && { comparison }) };
      await on.bed.database.models.jobs.updateOne({ _id: job.id }, update);
    }
    const { json: listed } = await ask(`/v1/schedules/${id}/runs`);
    expect(listed.runs).toMatchObject([
      { id: ids[0], changed: true, changes: { changed: 150 }, verdicts: { login: 1 } },
      { id: ids[1], changed: false },
      { id: ids[2], changed: null },
    ]);
    const { json } = await ask(`/v1/schedules/${id}/changes`);
    expect(json.changes).toMatchObject([
      {
        jobId: ids[0],
        comparedWith: 'job_0',
        matchedBy: { cards: 'sku' },
        omitted: 7,
        counts: { added: 0, removed: 0, changed: 150 },
        changesUrl: `/v1/jobs/${ids[0]}/changes`,
      },
      { jobId: ids[1], comparedWith: 'job_0', changes: [], notCompared: 0 },
      { jobId: ids[2], comparedWith: null, changes: [] },
    ]);
    const [{ changes: shown }] = json.changes;
    expect(shown).toEqual(shown.map((_: object, index: number) => change(index)));
    expect(shown.length).toBeLessThan(50);
    const second = await ask(`/v1/schedules/${id}/changes?limit=1&offset=1`);
    expect(second.json).toEqual({
      success: true,
      changes: [json.changes[1]],
      pagination: { limit: 1, offset: 1, total: 3, hasMore: true },
    });
    expect((await ask(`/v1/schedules/${id}/changes?limit=21`)).json.error.code).toBe('INVALID_REQUEST');
    const { json: part } = await ask(`/v1/jobs/${ids[0]}/changes?limit=30&offset=140`);
    expect(part).toEqual({
      success: true,
      comparedWith: 'job_0',
      matchedBy: { cards: 'sku' },
      omitted: 7,
      notCompared: 2,
      counts: { added: 0, removed: 0, changed: 150 },
      changes: Array.from({ length: 10 }, (_, index) => change(140 + index)),
      pagination: { limit: 30, offset: 140, total: 150, hasMore: false },
    });
    expect((await ask(`/v1/jobs/${ids[0]}/changes?offset=999999`)).json.changes).toEqual([]);
    expect((await ask(`/v1/jobs/${ids[2]}/changes`)).json).toMatchObject({ comparedWith: null, changes: [] });
    const stranger = await on.bed.createKey();
    const foreign = await ask(`/v1/jobs/${ids[0]}/changes`, { key: stranger.key });
    expect(foreign.json.error.code).toBe('JOB_NOT_FOUND');
  });
});
