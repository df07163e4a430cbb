import { mock } from 'node:test';
import type { Incoming } from '@gleaner/broker';
import { LANE_MS, type PageClaims, type PageCommand, untilAborted } from '@gleaner/contracts';
import { AccountPlaces, createLogger, NO_TRACER } from '@gleaner/service-kit';
import { eventually } from '@gleaner/test-kit';
import { afterEach, describe, expect, it } from '@jest/globals';
import { RunningScrapes } from '../capacity/running-scrapes.ts';
import { ClaimRegistry } from './claim-registry.ts';
import { createPageWorker, type PageWorkerDeps } from './create-page-worker.ts';

const logger = createLogger({ service: 'scraper', level: 'silent', format: 'json' });

/** Two page workers that hear each other; their pages fail as soon as their gate opens. */
function workers() {
  const published: { queue: string; body: unknown }[] = [];
  const registries: ClaimRegistry[] = [];
  const broadcast = async (_name: string, claims: PageClaims) => {
    for (const registry of registries) registry.receive(claims);
  };
  const publishWork = async (queue: string, bodies: readonly unknown[]) => {
    for (const body of bodies) published.push({ queue, body });
    return bodies.map(() => undefined);
  };
  const failure = { code: 'NOT_FOUND', source: 'target', message: 'There is no such page.' } as never;
  function create(climb: PageWorkerDeps['climb'] | undefined = undefined) {
    const claims = new ClaimRegistry({
      broker: { broadcast } as never,
      logger,
      answerWithinMs: 300,
    });
    registries.push(claims);
    const stopping = new AbortController();
    const gate = Promise.withResolvers<void>();
    const deps: PageWorkerDeps = {
      tracer: NO_TRACER,
      engine: 'http',
      climb:
        climb ??
        (async (_command, signal) => {
          await untilAborted(gate.promise, signal).catch(() => {});
          return { kind: 'reply', reply: { ok: false, failure, attempts: [] } };
        }),
      extractKept: async () => ({ kind: 'failed', failure: {} as never }),
      fetchCrawlFile: async () => ({ kind: 'robots', rules: [], sitemaps: [] }),
      broker: { publishWork: publishWork as never },
      running: new RunningScrapes(),
      claims,
      places: new AccountPlaces({ perAccount: 10 }),
      stopping: stopping.signal,
      observe: () => {},
    };
    return { work: createPageWorker(deps), gate, stopping };
  }
  return { first: create(), second: create(), create, published };
}

function messageOf(differences: Partial<Incoming<PageCommand>> = {}, abort = new AbortController()) {
  const body: PageCommand = {
    jobId: 'job_1',
    pageId: 'job_1:0',
    attempt: 1,
    accountId: 'acc_1',
    timeoutMs: 30_000,
    startBeforeMs: Date.now() + 30_000,
    request: { url: 'http://a.test/' },
  };
  return { body, signal: abort.signal, redelivered: false, deliveryCount: 1, ...differences };
}

/** A lane of four pages. */
function laneMessage(differences: Partial<Incoming<PageCommand>> = {}) {
  const message = messageOf(differences);
  const further = [1, 2, 3].map((index) => ({
    pageId: `job_1:${index}`,
    attempt: 1,
    url: `http://a.test/${index}`,
  }));
  return { ...message, body: { ...message.body, further } };
}

/** Returns a climb that fails with this code, after it has waited for the end of the others. */
function failingWith(code: string, asked: string[] = []): PageWorkerDeps['climb'] {
  let atWork = 0;
  return async ({ request }) => {
    asked.push(`${request.url} beside ${atWork}`);
    atWork += 1;
    await new Promise((resolve) => setImmediate(resolve));
    atWork -= 1;
    const failure = { code, source: 'target', message: 'It failed.' } as never;
    return { kind: 'reply', reply: { ok: false, failure, attempts: [] } };
  };
}

/** Stops the clock by which the time of a lane is measured; only the test moves it. */
function stopClock(): { nowMs: number } {
  const clock = { nowMs: 0 };
  mock.method(performance, 'now', () => clock.nowMs);
  return clock;
}

describe('a lane', () => {
  afterEach(() => {
    mock.restoreAll();
  });

  const outcomesOf = (published: readonly { body: unknown }[]) =>
    published.map(({ body }) => body as { pageId: string; outcome: { kind: string } });

  it('has its pages fetched one after the other, each with its own outcome', async () => {
    stopClock();
    const { create, published } = workers();
    const asked: string[] = [];
    await create(failingWith('NOT_FOUND', asked)).work(laneMessage());
    expect(asked).toEqual(['', '1', '2', '3'].map((path) => `http://a.test/${path} beside 0`));
    expect(outcomesOf(published).map(({ pageId, outcome }) => [pageId, outcome.kind])).toEqual(
      [0, 1, 2, 3].map((index) => [`job_1:${index}`, 'failed']),
    );
  });

  it('has the next page fetched while one is read, and no other', async () => {
    stopClock();
    const { create, published } = workers();
    const started: string[] = [];
    const gates = new Map(
      ['', '1', '2', '3'].map((path) => [`http://a.test/${path}`, Promise.withResolvers<void>()]),
    );
    const fails = failingWith('NOT_FOUND');
    const working = create(async (task, signal) => {
      started.push(task.request.url);
      task.onFetched?.();
      await gates.get(task.request.url)?.promise;
      return await fails(task, signal);
    }).work(laneMessage());
    await eventually(() => expect(started).toEqual(['http://a.test/', 'http://a.test/1']));
    gates.get('http://a.test/')?.resolve();
    await eventually(() => expect(started).toEqual(['', '1', '2'].map((path) => `http://a.test/${path}`)));
    for (const gate of gates.values()) gate.resolve();
    await working;
    expect(outcomesOf(published).map(({ pageId }) => pageId)).toEqual(
      [0, 1, 2, 3].map((index) => `job_1:${index}`),
    );
  });

  it('ends when its host cannot bear it, and gives back the rest', async () => {
    const { create, published } = workers();
    await create(failingWith('RATE_LIMITED')).work(laneMessage());
    const kinds = outcomesOf(published).map(({ outcome }) => outcome.kind);
    expect(kinds).toEqual(['failed', 'unstarted', 'unstarted', 'unstarted']);
  });

  it('ends when its time is over, and gives back the rest', async () => {
    const clock = stopClock();
    const { create, published } = workers();
    const climb = failingWith('NOT_FOUND');
    const slow: typeof climb = async (task, signal) => {
      clock.nowMs += LANE_MS + 10;
      return await climb(task, signal);
    };
    await create(slow).work(laneMessage());
    const kinds = outcomesOf(published).map(({ outcome }) => outcome.kind);
    expect(kinds).toEqual(['failed', 'unstarted', 'unstarted', 'unstarted']);
  });

  it('is handed back as one message from the page on that was at work when the process stops', async () => {
    stopClock();
    const { create, published } = workers();
    const climb = failingWith('NOT_FOUND');
    const worker = create(async (task, signal) => {
      if (task.request.url.endsWith('/1')) worker.stopping.abort(new Error('The scraper is shutting down.'));
      return await climb(task, signal);
    });
    const message = laneMessage();
    await worker.work(message);
    const { further, ...page } = message.body;
    const [next, ...rest] = further;
    expect(published.map(({ body }) => body)).toMatchObject([
      { pageId: 'job_1:0', outcome: { kind: 'failed' } },
      { ...page, pageId: next?.pageId, request: { url: next?.url }, further: rest },
    ]);
  });

  it('is reported lost as a whole', async () => {
    const { first, published } = workers();
    await first.work(laneMessage({ redelivered: true }));
    const further = [1, 2, 3].map((index) => ({ pageId: `job_1:${index}`, attempt: 1 }));
    expect(published).toMatchObject([{ body: { pageId: 'job_1:0', outcome: { kind: 'lost', further } } }]);
  });
});

describe('a page worker', () => {
  it('finishes a page after its connection broke, and leaves the redelivered message to it', async () => {
    const { first, second, published } = workers();
    const connection = new AbortController();
    const working = first.work(messageOf({}, connection));
    connection.abort(new Error('The connection was lost.'));
    await second.work(messageOf({ redelivered: true }));
    const own = first.work(messageOf({ redelivered: true }));
    expect(published).toEqual([]);
    first.gate.resolve();
    await Promise.all([working, own]);
    await second.work(messageOf({ redelivered: true }));
    expect(published).toMatchObject([{ queue: 'pages.results', body: { outcome: { kind: 'failed' } } }]);
  });

  it('reports a page lost when no other worker answers for it, once', async () => {
    const { first, second, published } = workers();
    await first.work(messageOf({ redelivered: true }));
    await second.work(messageOf({ redelivered: true }));
    expect(published).toMatchObject([{ queue: 'pages.results', body: { outcome: { kind: 'lost' } } }]);
  });

  it('hands a page back as a new message when its process stops', async () => {
    const { first, published } = workers();
    const message = messageOf();
    const working = first.work(message);
    first.stopping.abort(new Error('The scraper is shutting down.'));
    await working;
    expect(published).toEqual([{ queue: 'pages.http', body: message.body }]);
  });
});
