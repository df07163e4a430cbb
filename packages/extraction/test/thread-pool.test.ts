import { afterAll, describe, expect, it } from '@jest/globals';
import { compileSelectors, type SelectorMap, ThreadPool } from '../src/index.ts';
import type { SampleTask } from './sample-thread.ts';

type Data = Readonly<Record<string, unknown>>;

const module = new URL('./sample-thread.ts', import.meta.url);
/** Longer than the busiest machine takes. */
const timeoutMs = 300_000;
const oneThread = { module, maxThreads: 1, timeoutMs };
const pool = new ThreadPool<SampleTask, Data>({ ...oneThread, maxHeapMb: 192 });
const tiny = new ThreadPool<SampleTask, Data>({ ...oneThread, maxQueued: 1, maxHeapMb: 48 });

function task(html: string, selectors: SelectorMap = { title: 'h1' }): SampleTask {
  return { bytes: new TextEncoder().encode(html), plan: compileSelectors(selectors), maxSteps: 100_000_000 };
}

function disposable(pool: ThreadPool<SampleTask, Data>) {
  return { pool, [Symbol.asyncDispose]: () => pool.close() };
}

afterAll(async () => {
  await Promise.all([pool.close(), tiny.close()]);
});

describe('ThreadPool', () => {
  it('gives what the work of its module gives', async () => {
    expect(await pool.run(task('<h1>Title</h1>'))).toStrictEqual({ title: 'Title' });
  });

  it('throws what the work throws, with its suggestion', async () => {
    const hasty = { ...task('<h1>Title</h1>'), maxSteps: 10 };
    await expect(pool.run(hasty)).rejects.toMatchObject({
      code: 'UNSUPPORTED_CONTENT',
      suggestion: expect.stringContaining('fewer'),
    });
  });

  it('hands over what is transferred, so that no copy stays behind', async () => {
    const page = task('<h1>Moved</h1>');
    expect(await pool.run(page, { transfer: [page.bytes.buffer as ArrayBuffer] })).toEqual({
      title: 'Moved',
    });
    expect(page.bytes.byteLength).toBe(0);
  });

  it('reads elements that are alike in the memory that a few different ones take', async () => {
    await using frugal = disposable(new ThreadPool<SampleTask, Data>({ ...oneThread, maxHeapMb: 96 }));
    const alike = `<div class="${'d'.repeat(60)}">`.repeat(200_000);
    expect(await frugal.pool.run(task(`${alike}<h1>Bottom</h1>`))).toEqual({ title: 'Bottom' });
  });

  it('serves patient tasks after all others, and lets queues take turns', async () => {
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

  it('forgets a task whose signal aborts while it waits', async () => {
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

  it('cuts a task when its signal aborts, and serves the next one', async () => {
    const controller = new AbortController();
    const reason = new Error('the caller left');
    const running = pool.run(task('<i>'.repeat(3_000_000)), { signal: controller.signal });
    setImmediate(() => controller.abort(reason));
    await expect(running).rejects.toBe(reason);
    expect(await pool.run(task('<h1>next</h1>'))).toEqual({ title: 'next' });
  });

  it('cuts a task at its deadline with TIMEOUT', async () => {
    await using hasty = closing(new ThreadPool<SampleTask, Data>({ module, maxThreads: 1, timeoutMs: 5 }));
    await expect(hasty.pool.run(task('<h1>x</h1>'))).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  it('rejects at once when the signal is aborted already', async () => {
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(pool.run(task(''), { signal })).rejects.toThrow('too late');
  });

  it('says so when a page needs more memory than a thread has, and goes on with a new thread', async () => {
    await expect(tiny.run(task('<p>x'.repeat(400_000)))).rejects.toMatchObject({
      code: 'UNSUPPORTED_CONTENT',
      message: expect.stringContaining('48 MB'),
    });
    expect(await tiny.run(task('<h1>alive</h1>'))).toEqual({ title: 'alive' });
  });

  it('refuses what its queue cannot hold with SERVICE_UNAVAILABLE', async () => {
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => tiny.run(task('<h1>x</h1>'))));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(outcomes[2]).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE' } });
  });

  it('lets go of what waits and what runs when it is closed', async () => {
    const shut = new ThreadPool<SampleTask, Data>({ module, maxThreads: 1 });
    const outcomes = Promise.allSettled([1, 2].map(() => shut.run(task('<h1>x</h1>'))));
    await shut.close();
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } });
    }
    await expect(shut.run(task(''))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});

/** Closes the pool at the end of its scope. */
function closing<Pool extends { close(): Promise<void> }>(of: Pool): { pool: Pool } & AsyncDisposable {
  return { pool: of, [Symbol.asyncDispose]: () => of.close() };
}
