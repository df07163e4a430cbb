import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CallOptions } from './support/call.ts';
import { seedJob } from './support/scripted-orchestrator.ts';
import { type ScriptedScheduler, startScriptedScheduler } from './support/scripted-scheduler.ts';
import type { TestKey } from './support/test-bed.ts';
import { useGateway } from './support/use-gateway.ts';
import { SCHEDULE } from './support/use-schedules.ts';

const service = useGateway({
  SECRETS_KEY: 'k'.repeat(32),
  PROXIES: 'us=http://proxy.example:3128, de=http://proxy.example:3129',
});
const STATE = { cookies: [{ name: 'session', value: 'a1', domain: 'example.com' }], origins: [] };
/** Price of a plain page through a proxy. */
const PAGE_PRICE = 6;

let scheduler: ScriptedScheduler;
/** A key whose account has a credit less than two pages through a proxy cost. */
let owner: TestKey;
let profile: string;

const ask = (path: string, options: CallOptions = {}) => service.ask(path, { key: owner.key, ...options });
const patch = (path: string, body: object) => ask(path, { method: 'PATCH', body });
const rerun = (id: string) => ask(`/v1/jobs/${id}/rerun`, { method: 'POST' });

beforeAll(async () => {
  scheduler = await startScriptedScheduler(service.bed.broker, service.bed.stores);
});
beforeEach(async () => {
  scheduler.commands.splice(0);
  owner = await service.bed.createKey({ balance: 2 * PAGE_PRICE - 1 });
  const { json } = await ask('/v1/profiles', { body: { name: 'shop', storageState: STATE } });
  profile = json.profile.id;
});

/** Gives the profile a proxy, or takes it away. */
async function moveTo(proxy: string | null) {
  expect((await patch(`/v1/profiles/${profile}`, { proxy })).status).toBe(200);
}

describe('a rerun of a job whose profile has gained a proxy', () => {
  const seed = (pages: number, options: object = {}) =>
    seedJob(
      service.bed.stores,
      owner.accountId,
      Array.from({ length: pages }, () => ({ data: {} })),
      { profile, ...options },
    );

  it('needs the credits of the proxy', async () => {
    const [one, two] = [await seed(1), await seed(2)];
    expect((await rerun(two.id)).status).toBe(202);
    await moveTo('us');
    const { status, json } = await rerun(two.id);
    expect([status, json.error.code]).toEqual([402, 'INSUFFICIENT_CREDITS']);
    expect((await rerun(one.id)).status).toBe(202);
    expect(service.orchestrator.commands).toMatchObject([
      { request: { profile, urls: { length: 2 } } },
      { request: { profile, proxy: 'us', urls: { length: 1 } } },
    ]);
    expect(service.orchestrator.commands[0]).not.toHaveProperty('request.proxy');
  });

  it('goes out as the profile does by then, not as the job did', async () => {
    const { id } = await seed(1, { proxy: 'us' });
    await moveTo('de');
    expect((await rerun(id)).status).toBe(202);
    await moveTo(null);
    expect((await rerun(id)).status).toBe(202);
    expect(service.orchestrator.commands).toMatchObject([{ request: { proxy: 'de' } }, { request: {} }]);
    expect(service.orchestrator.commands[1]).not.toHaveProperty('request.proxy');
  });
});

describe('a PATCH of a schedule whose profile has gained a proxy', () => {
  async function create(settings: object = {}): Promise<string> {
    const { json } = await ask('/v1/schedules', { body: { ...SCHEDULE, profile, ...settings } });
    scheduler.commands.splice(0);
    return json.schedule.id;
  }

  it('leaves the proxy to each run', async () => {
    const id = await create();
    await moveTo('us');
    const { status, json } = await patch(`/v1/schedules/${id}`, { name: 'renamed' });
    expect(status).toBe(200);
    expect(json.schedule).toMatchObject({ name: 'renamed', profile });
    expect(scheduler.commands).toMatchObject([{ type: 'update', settings: { name: 'renamed', profile } }]);
    expect(scheduler.commands[0]).not.toHaveProperty('settings.proxy');
  });

  it('takes the proxy of the profile, and refuses another one', async () => {
    const id = await create();
    expect((await patch(`/v1/schedules/${id}`, { proxy: 'us' })).json.error.details).toEqual([
      { path: 'proxy', message: 'must be left out: the profile shop goes out without a proxy' },
    ]);
    await moveTo('us');
    expect((await patch(`/v1/schedules/${id}`, { proxy: 'de' })).json.error.details).toEqual([
      { path: 'proxy', message: 'must be left out: the profile shop goes out through "us"' },
    ]);
    expect(scheduler.commands).toEqual([]);
    expect((await patch(`/v1/schedules/${id}`, { proxy: 'us' })).status).toBe(200);
  });

  it('is estimated with the price of the proxy', async () => {
    const body = { ...SCHEDULE, profile };
    const worst = async () => (await ask('/v1/estimate', { body })).json.estimate.credits.worst;
    expect(await worst()).toBe(PAGE_PRICE - 5);
    await moveTo('us');
    expect(await worst()).toBe(PAGE_PRICE);
  });
});
