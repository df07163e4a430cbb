import type { Incoming } from '@gleaner/broker';
import { type PageClaims, type PageCommand, untilAborted } from '@gleaner/contracts';
import { AccountPlaces, createLogger, NO_TRACER } from '@gleaner/service-kit';
import { describe, expect, it } from '@jest/globals';
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
  function create() {
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
      climb: async (_command, signal) => {
        await untilAborted(gate.promise, signal).catch(() => {});
        const failure = { code: 'NOT_FOUND', source: 'target', message: 'There is no such page.' } as never;
        return { kind: 'reply', reply: { ok: false, failure, attempts: [] } };
      },
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
  return { first: create(), second: create(), published };
}

function messageOf(differences: Partial<Incoming<PageCommand>> = {}, abort = new AbortController()) {
  const body: PageCommand = {
    ...{ jobId: 'job_1', pageId: 'job_1:0', attempt: 1, accountId: 'acc_1' },
    ...{ timeoutMs: 30_000, startBeforeMs: Date.now() + 30_000, request: { url: 'http://a.test/' } },
  };
  return { body, signal: abort.signal, redelivered: false, deliveryCount: 1, ...differences };
}

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
