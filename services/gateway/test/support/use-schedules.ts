import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { type CallOptions, call, type TestAnswer } from './call.ts';
import { type ScriptedScheduler, startScriptedScheduler } from './scripted-scheduler.ts';
import { startTestBed, type TestBed, type TestGateway, type TestKey } from './test-bed.ts';

/** A gateway with a scheduler that follows a script, and calls with the key of an account that is new in each test. */
export interface ScheduleService {
  bed: TestBed;
  gateway: TestGateway;
  scheduler: ScriptedScheduler;
  owner: TestKey;
  ask(path: string, options?: CallOptions): Promise<TestAnswer>;
  /** Creates a schedule and returns its id. */
  create(body?: object): Promise<string>;
  patch(id: string, body: unknown): Promise<TestAnswer>;
}

export const SCHEDULE = { url: 'https://example.com/', cron: '0 9 * * 1-5' };

/** Starts the gateway and the scheduler before the tests of a file, and stops them after them. */
export function useSchedules(): ScheduleService {
  const on: Pick<ScheduleService, 'ask' | 'create' | 'patch'> & Partial<ScheduleService> = {
    ask: (path, options = {}) =>
      call(`${on.gateway?.url}${path}`, { ...(on.owner && { key: on.owner.key }), ...options }),
    async create(body = {}) {
      const { json } = await on.ask('/v1/schedules', { body: { ...SCHEDULE, ...body } });
      return json.schedule.id;
    },
    patch: (id, body) => on.ask(`/v1/schedules/${id}`, { method: 'PATCH', body }),
  };
  beforeAll(async () => {
    const bed = await startTestBed();
    on.bed = bed;
    on.gateway = await bed.startGateway({ RATE_LIMIT_CREATE: '10000' });
    on.scheduler = await startScriptedScheduler(bed.broker, bed.stores);
  });
  beforeEach(async () => {
    if (on.bed) on.owner = await on.bed.createKey();
    on.scheduler?.commands.splice(0);
  });
  afterAll(async () => {
    await on.bed?.[Symbol.asyncDispose]();
  });
  return on as ScheduleService;
}
