import { createId, type ScheduleCommand, type ScheduleSettings } from '@gleaner/contracts';
import { eventually, findLongTurns, startWatchedProcess, type WatchedProcess } from '@gleaner/test-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ACCOUNT, startTestBed, type TestBed } from './support/test-bed.ts';

const WAIT_MS = 600_000;
const LARGE_SCHEDULES = 30;
const SMALL_SCHEDULES = 970;
const urlsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => `https://example.com/${'path/'.repeat(180)}${index}`);
const settingsOf = (urls: string[], cron = '0 0 1 1 *'): ScheduleSettings => ({
  name: 'Large',
  urls,
  cron,
  timezone: 'UTC',
  overlap: 'allow',
});
const LARGE = settingsOf(urlsOf(1000));

let bed: TestBed;
let scheduler: WatchedProcess;

beforeAll(async () => {
  bed = await startTestBed();
  // One by one: each step must end in the time that the stores allow for an operation, on a busy machine too.
  for (let index = 0; index < LARGE_SCHEDULES + SMALL_SCHEDULES; index += 1) {
    const settings = index < LARGE_SCHEDULES ? LARGE : settingsOf(urlsOf(1));
    const now = { at: new Date(), nextRunAt: new Date('2100-01-01') };
    await bed.stores.schedules.createSchedule({ id: createId('sch'), accountId: ACCOUNT, settings, ...now });
  }
  scheduler = await startWatchedProcess(new URL('../src/main.ts', import.meta.url), {
    ...bed.env,
    STARTUP_TIMEOUT_MS: '240000',
  });
}, 600_000);
afterAll(async () => {
  await scheduler?.[Symbol.asyncDispose]();
  await bed?.[Symbol.asyncDispose]();
});

/** Makes all schedules due, and waits until each has had its job created. Counting the schedules would read the large ones. */
async function runAll(): Promise<void> {
  const { commands } = bed.orchestrator;
  const before = commands.length;
  await bed.database.models.schedules.updateMany({}, { $set: { nextRunAt: new Date(0) } });
  const created = () => commands.length - before;
  await eventually(() => expect(created()).toBeGreaterThanOrEqual(LARGE_SCHEDULES + SMALL_SCHEDULES), {
    timeoutMs: WAIT_MS,
  });
}

const command = (body: ScheduleCommand) =>
  bed.broker.request('schedules.commands', body, { timeoutMs: WAIT_MS });

/** Commands everything that can be done with a schedule. */
async function commandAll(settings: ScheduleSettings): Promise<void> {
  const target = { scheduleId: createId('sch'), accountId: ACCOUNT };
  await command({ type: 'create', ...target, settings });
  await command({ type: 'update', ...target, settings: { ...settings, name: 'Edited' }, revision: 0 });
  await command({ type: 'pause', ...target });
  await command({ type: 'resume', ...target });
  await command({ type: 'run', ...target, jobId: createId('job') });
  await command({ type: 'delete', ...target });
}

/** Call of a bystander. */
const preview = () => command({ type: 'preview', timing: { cron: '0 9 * * *', timezone: 'UTC' } });

const CASES: Readonly<Record<string, () => Promise<unknown>>> = {
  'many runs that are due': runAll,
  'commands about a large schedule': () => commandAll(LARGE),
  'commands about a rare schedule': () => commandAll(settingsOf(urlsOf(1), '59 23 29 2 *')),
  'a preview of a long expression': () =>
    command({
      type: 'preview',
      timing: { cron: `${'*/2,'.repeat(60)}1 0 29 2 *`, timezone: 'Asia/Kathmandu' },
    }),
};

describe('no turn of the event loop of a scheduler is long', () => {
  it.each(Object.entries(CASES))(
    'at %s',
    async (name, run) => {
      expect(await findLongTurns(scheduler, [[name, run]], preview)).toEqual([]);
    },
    2_000_000,
  );
});
