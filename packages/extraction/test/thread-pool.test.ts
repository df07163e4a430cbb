import { AppError } from '@gleaner/contracts';
import { eventually } from '@gleaner/test-kit';
import { afterAll, describe, expect, it } from '@jest/globals';
import { compileSelectors, type SelectorMap, ThreadPool } from '../src/index.ts';
import type { SampleTask } from './sample-thread.ts';

type Data = Readonly<Record<string, unknown>>;

const module = new URL('./sample-thread.ts', import.meta.url);
/** Longer than a task takes on the busiest machine. */
const timeoutMs = 300_000;
const oneThread = { module, maxThreads: 1, timeoutMs };
const pool = new ThreadPool<SampleTask, Data>({ ...oneThread, maxHeapMb: 192 });
const tiny = new ThreadPool<SampleTask, Data>({ ...oneThread, maxQueued: 1, maxHeapMb: 48 });

function task(html: string, selectors: SelectorMap = { title: 'h1' }): SampleTask {
  return { bytes: new TextEncoder().encode(html), plan: compileSelectors(selectors), maxSteps: 100_000_000 };
}

const ENDLESS = { ...task(''), maxSteps: Number.MAX_SAFE_INTEGER, isEndless: true };
const WHICH_THREAD = { ...task(''), asksForThread: true };

/** Wraps a pool so that it is closed at the end of its scope. */
function disposable(pool: ThreadPool<SampleTask, Data>) {
  return { pool, [Symbol.asyncDispose]: () => pool.close() };
}

afterAll(async () => {
  await Promise.all([pool.close(), tiny.close()]);
});

describe('ThreadPool', () => {
  it('returns the result of the work of its module', async () => {
    expect(await pool.run(task('<h1>Title</h1>'))).toStrictEqual({ title: 'Title' });
  });

  it('throws the error of the work, with its suggestion', async () => {
    const limited = { ...task('<h1>Title</h1>'), maxSteps: 10 };
    await expect(pool.run(limited)).rejects.toMatchObject({
      code: 'UNSUPPORTED_CONTENT',
      suggestion: expect.stringContaining('fewer'),
    });
  });

  it('moves transferred objects, so that no copy is left', async () => {
    const page = task('<h1>Moved</h1>');
    expect(await pool.run(page, { transfer: [page.bytes.buffer as ArrayBuffer] })).toEqual({
      title: 'Moved',
    });
    expect(page.bytes.byteLength).toBe(0);
  });

  it('keeps equal attribute values once in memory', async () => {
    await using small = disposable(new ThreadPool<SampleTask, Data>({ ...oneThread, maxHeapMb: 96 }));
    const alike = `<div class="${'d'.repeat(60)}">`.repeat(200_000);
    expect(await small.pool.run(task(`${alike}<h1>Bottom</h1>`))).toEqual({ title: 'Bottom' });
  });

  it('serves patient tasks after all others, and alternates between queues', async () => {
    const done: string[] = [];
    const tasks = ['first', 'large 1', 'large 2', 'small 1', 'urgent 1', 'urgent 2', 'other 1'].map(
      (title) => {
        const [queue = ''] = title.split(' ');
        const isPatient = queue === 'large' || queue === 'small';
        return pool
          .run(task(`<h1>${title}</h1>`), { queue, isPatient })
          .then((data) => done.push(String(data.title)));
      },
    );
    await Promise.all(tasks);
    const urgent = ['urgent 1', 'other 1', 'urgent 2'];
    expect(done).toEqual(['first', ...urgent, 'large 1', 'small 1', 'large 2']);
  });

  it('removes a waiting task when its signal aborts', async () => {
    const controller = new AbortController();
    const first = pool.run(task('<h1>first</h1>'));
    const waiting = pool.run(task('<h1>waiting</h1>'), {
      queue: 'job',
      isPatient: true,
      signal: controller.signal,
    });
    controller.abort(new Error('cancelled'));
    await expect(waiting).rejects.toThrow('cancelled');
    expect(await first).toEqual({ title: 'first' });
    expect(await pool.run(task('<h1>next</h1>'), { queue: 'job', isPatient: true })).toEqual({
      title: 'next',
    });
  });

  it('stops a running task when its signal aborts, and serves the next one', async () => {
    const controller = new AbortController();
    const reason = new Error('the caller left');
    const running = pool.run(task('<i>'.repeat(3_000_000)), { signal: controller.signal });
    setImmediate(() => controller.abort(reason));
    await expect(running).rejects.toBe(reason);
    expect(await pool.run(task('<h1>next</h1>'))).toEqual({ title: 'next' });
  });

  it('stops a task without ending its thread', async () => {
    await using one = disposable(new ThreadPool<SampleTask, Data>(oneThread));
    const before = await one.pool.run(WHICH_THREAD);
    const controller = new AbortController();
    const running = one.pool.run(ENDLESS, { signal: controller.signal });
    controller.abort(new Error('the caller left'));
    await expect(running).rejects.toThrow('the caller left');
    expect(await one.pool.run(WHICH_THREAD)).toEqual(before);
  });

  it('keeps a thread that starts for the tasks that come later, however many give up before', async () => {
    await using fresh = disposable(new ThreadPool<SampleTask, Data>(oneThread));
    const controller = new AbortController();
    const hasty = Array.from({ length: 20 }, () => fresh.pool.run(ENDLESS, { signal: controller.signal }));
    const patient = fresh.pool.run(WHICH_THREAD);
    controller.abort(new AppError('TIMEOUT'));
    for (const outcome of await Promise.allSettled(hasty)) {
      expect(outcome).toMatchObject({ reason: { code: 'TIMEOUT', source: 'api' } });
    }
    expect(await patient).toEqual(await fresh.pool.run(WHICH_THREAD));
  });

  it('ends its threads after a while without work, and starts another for the next task', async () => {
    await using brief = disposable(new ThreadPool<SampleTask, Data>({ ...oneThread, restMs: 1 }));
    const first = await brief.pool.run(WHICH_THREAD);
    await eventually(() => expect(brief.pool.isWarm).toBe(false));
    expect(await brief.pool.run(WHICH_THREAD)).not.toEqual(first);
  });

  it('does not give an owner all threads', async () => {
    await using two = disposable(
      new ThreadPool<SampleTask, Data>({ module, maxThreads: 2, timeoutMs, turnMs: timeoutMs }),
    );
    const controller = new AbortController();
    const { signal } = controller;
    const greedy = ['job 1', 'job 2', 'job 3'].map((queue) =>
      two.pool.run(ENDLESS, { owner: 'greedy', queue, signal }),
    );
    expect(await two.pool.run(task('<h1>modest</h1>'), { owner: 'modest', isPatient: true })).toEqual({
      title: 'modest',
    });
    controller.abort(new Error('enough'));
    for (const outcome of await Promise.allSettled(greedy)) expect(outcome.status).toBe('rejected');
  });

  it('lets long tasks give way to those of others, and go on afterwards', async () => {
    await using one = disposable(
      new ThreadPool<SampleTask, Data>({ ...oneThread, turnMs: 1, maxHeapMb: 192 }),
    );
    const controller = new AbortController();
    const endless = one.pool.run(ENDLESS, { owner: 'a', queue: 'a', signal: controller.signal });
    const long = one.pool.run(task(`${'<i></i>'.repeat(100_000)}<h1>long</h1>`), { queue: 'b' });
    const short = one.pool.run(task('<h1>short</h1>'), { queue: 'c', isPatient: true });
    expect(await short).toEqual({ title: 'short' });
    expect(await long).toEqual({ title: 'long' });
    controller.abort(new AppError('TIMEOUT'));
    await expect(endless).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  it('stops a task at its deadline with TIMEOUT', async () => {
    await using impatient = disposable(
      new ThreadPool<SampleTask, Data>({ module, maxThreads: 1, timeoutMs: 5 }),
    );
    await expect(impatient.pool.run(task('<h1>x</h1>'))).rejects.toMatchObject({ code: 'TIMEOUT' });
    await expect(pool.run(ENDLESS, { timeoutMs: 5 })).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  it('rejects at once when the signal is already aborted', async () => {
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(pool.run(task(''), { signal })).rejects.toThrow('too late');
  });

  it('rejects a page that needs more memory than a thread has, and continues with a new thread', async () => {
    await expect(tiny.run(task('<p>x'.repeat(400_000)))).rejects.toMatchObject({
      code: 'UNSUPPORTED_CONTENT',
      message: expect.stringContaining('48 MB'),
    });
    expect(await tiny.run(task('<h1>alive</h1>'))).toEqual({ title: 'alive' });
  });

  it('rejects tasks beyond the limit of its queue with SERVICE_UNAVAILABLE', async () => {
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => tiny.run(task('<h1>x</h1>'))));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(outcomes[2]).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE' } });
  });

  it('rejects waiting and running tasks when it is closed', async () => {
    const shut = new ThreadPool<SampleTask, Data>({ module, maxThreads: 1 });
    const outcomes = Promise.allSettled([1, 2].map(() => shut.run(task('<h1>x</h1>'))));
    await shut.close();
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } });
    }
    await expect(shut.run(task(''))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});
