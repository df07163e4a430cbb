import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createId, SCOPES } from '@gleaner/contracts';
import { eventually } from '@gleaner/test-kit';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type ChaosStack, startChaosStack } from './stack/chaos-stack.ts';
import { BACKENDS, type Backend } from './stack/links.ts';
import type { Replica } from './stack/replicas.ts';
import { startTokenOrigin, type TokenOrigin } from './token-origin.ts';
import type { WireEvent } from './wire/wire-proxy.ts';

/** A step of the protocol at which a gateway dies during a scrape, and the final cost of the scrape. */
interface SettlePoint {
  /** Outcome of the scrape; a failed one releases its credits. */
  readonly page: 'found' | 'missing';
  readonly link: Backend;
  readonly event: WireEvent;
  /** Number of such steps that pass before. */
  readonly skipped: number;
  readonly used: 0 | 1;
}

/** Every step of a charge: not done yet, or done but not yet confirmed. */
const SETTLE_POINTS: Readonly<Record<string, SettlePoint>> = {
  'credits are about to be reserved': { ...sends('database', 'update', 'accounts'), used: 0 },
  'credits are reserved': { ...hears('database', 'update', 'accounts'), used: 0 },
  'a worker is about to be asked': { ...sends('broker', 'publish', 'scrape.http'), used: 0 },
  'a worker has replied': { ...hears('broker', 'deliver', 'amq.rabbitmq.reply-to'), used: 0 },
  'a charge is about to be written': { ...sends('database', 'insert', 'charges'), used: 0 },
  'a charge is written': { ...hears('database', 'insert', 'charges'), used: 1 },
  'what was not charged is about to go back': {
    ...sends('database', 'update', 'accounts'),
    skipped: 1,
    used: 1,
  },
  'what was not charged has gone back': { ...hears('database', 'update', 'accounts'), skipped: 1, used: 1 },
  'a release is about to be written': {
    ...sends('database', 'insert', 'charges'),
    page: 'missing',
    used: 0,
  },
  'a release is written': { ...hears('database', 'insert', 'charges'), page: 'missing', used: 0 },
  'what was released is about to go back': {
    ...sends('database', 'update', 'accounts'),
    page: 'missing',
    skipped: 1,
    used: 0,
  },
};

/** The gateway dies before this leaves it. */
function sends(link: Backend, name: string, subject: string) {
  return { page: 'found', link, event: { from: 'client', name, subject }, skipped: 0 } as const;
}

/** The step is done, and the gateway dies before it receives the confirmation. */
function hears(link: Backend, name: string, subject: string) {
  return { page: 'found', link, event: { from: 'server', name, subject }, skipped: 0 } as const;
}

/** Highest price of a scrape with antiBot. A page that a plain fetch gets costs 1. */
const CREDITS = 15;
/** Lifetime of a reservation; it must not expire before a gateway has reached its kill point. */
const TIMEOUT_MS = 60_000;

let dataDir: string;
let origin: TokenOrigin;
let stack: ChaosStack;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gleaner-credits-'));
  origin = await startTokenOrigin();
  stack = await startChaosStack({
    dataDir,
    egressAllow: [origin.host],
    brokerKind: 'embedded',
    databaseKind: 'embedded',
    replicas: { gateway: 0, 'job-orchestrator': 0, scheduler: 0, 'webhook-notifier': 0 },
    settings: { RATE_LIMIT_READ: '1000000' },
  });
});
afterAll(async () => {
  await stack.stop(async () => {});
  await origin[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

it('charges a scrape once or not at all and releases its credits, wherever the gateway is killed', async () => {
  // No gateway may repair what another leaves until all are dead, because a sweep looks like a scrape on the wire.
  const settings = { SWEEP_INTERVAL_MS: '3600000', SETTLEMENT_GRACE_MS: '100' };
  const points = Object.entries(SETTLE_POINTS);
  const gateways = await Promise.all(points.map(() => stack.start('gateway', { env: settings })));
  const keys = await Promise.all(points.map(() => createKey()));
  for (const [index, [, point]] of points.entries())
    await scrapeToDeath(gateways[index] as Replica, point, keys[index] as string);

  const heir = await stack.start('gateway', { env: { ...settings, SWEEP_INTERVAL_MS: '100' } });
  const expected = points.map(([name, { used }]) => ({
    name,
    used,
    remaining: CREDITS - used,
    reserved: 0,
    requests: used,
  }));
  const readAll = () =>
    Promise.all(points.map(async ([name], index) => ({ name, ...(await usageOf(heir, keys[index] ?? '')) })));
  await eventually(async () => expect(await readAll()).toEqual(expected));
}, 900_000);

/** Scrapes through the gateway, which is killed at the point. Throws when it never gets there, or answers. */
async function scrapeToDeath(gateway: Replica, point: SettlePoint, key: string): Promise<void> {
  const { page, link, event, skipped } = point;
  let left = skipped;
  let death: Promise<unknown> | undefined;
  gateway.links[link].setTrap({
    timing: 'instead',
    matches: ({ from, name, subject }) =>
      from === event.from && name === event.name && subject.startsWith(event.subject) && left-- === 0,
    spring() {
      // Bytes that the process still sends before the signal reaches it must not pass.
      for (const backend of BACKENDS) gateway.links[backend].bury();
      gateway.process.kill();
      death = gateway.process.stop();
    },
  });
  const url = origin.urlOf(page === 'found' ? 'unit' : 'unit-missing');
  const answer = ask(gateway, '/v1/scrape', key, { url, antiBot: true, timeout: TIMEOUT_MS });
  await expect(answer).rejects.toThrow('fetch failed');
  expect(death).toBeDefined();
  await death;
}

async function createKey(): Promise<string> {
  const { id: accountId } = await stack.stores.accounts.ensureAccount({
    id: createId('acc'),
    name: 'Credits',
    balance: CREDITS,
  });
  const { key } = await stack.stores.keys.createKey({ accountId, scopes: SCOPES });
  return key;
}

async function usageOf(gateway: Replica, key: string) {
  const response = await ask(gateway, '/v1/usage', key);
  const { usage } = (await response.json()) as { usage: Usage };
  const { used, remaining, reserved, byOperation } = usage;
  return { used, remaining, reserved, requests: byOperation.scrape?.requests ?? 0 };
}

interface Usage {
  readonly used: number;
  readonly remaining: number;
  readonly reserved: number;
  readonly byOperation: { readonly scrape?: { readonly requests: number } };
}

function ask({ url }: Replica, path: string, key: string, body?: object): Promise<Response> {
  return fetch(url + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
}
