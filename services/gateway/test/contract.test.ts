import {
  AppError,
  createId,
  type ErrorCode,
  type Job,
  ROUTES,
  type RouteDefinition,
  type RouteName,
  toFailure,
} from '@gleaner/contracts';
import { type SearxngStub, startSearxng } from '@gleaner/test-kit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type CallOptions, call, type TestAnswer } from './support/call.ts';
import { routesSeenToSucceed } from './support/check-answer.ts';
import { seedDelivery, startScriptedNotifier } from './support/scripted-notifier.ts';
import {
  keepPageOf,
  type ScriptedOrchestrator,
  seedJob,
  startScriptedOrchestrator,
} from './support/scripted-orchestrator.ts';
import { startScriptedScheduler } from './support/scripted-scheduler.ts';
import { packedPage, seedHealth, startScriptedSnapshots } from './support/scripted-snapshots.ts';
import { failed, type ScriptedWorker, startScriptedWorker } from './support/scripted-worker.ts';
import { seedRecords } from './support/seed-records.ts';
import { seedRun } from './support/seed-runs.ts';
import { startTestBed, type TestBed, type TestGateway, type TestKey } from './support/test-bed.ts';

let bed: TestBed;
let gateway: TestGateway;
let worker: ScriptedWorker;
let orchestrator: ScriptedOrchestrator;
let owner: TestKey;
let job: Job;
let failedJob: Job;
let channelId: string;
let recipeId: string;
let scheduleId: string;
let fallenScheduleId: string;
let profileId: string;
let snapshotId: string;
let keptJobId: string;
let searxng: SearxngStub;

beforeAll(async () => {
  bed = await startTestBed();
  searxng = await startSearxng();
  gateway = await bed.startGateway({
    SEARCH_URL: searxng.url,
    RATE_LIMIT_CREATE: '50',
    SECRETS_KEY: 'k'.repeat(32),
    SMTP_URL: 'smtp://127.0.0.1:2525',
  });
  worker = await startScriptedWorker(bed.broker);
  orchestrator = await startScriptedOrchestrator(bed.broker);
  await startScriptedScheduler(bed.broker, bed.stores);
  await startScriptedNotifier(bed.broker, bed.stores);
  const map = { urls: [PAGE], sources: [], complete: true };
  bed.broker.respond('maps.commands', async () => ({ mapJson: JSON.stringify(map), pages: 1 }), {
    concurrency: 1,
  });
  await startScriptedSnapshots(bed.broker);
  owner = await bed.createKey();
});
afterEach(() => {
  worker.reset();
  orchestrator.reset();
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  await searxng[Symbol.asyncDispose]();
});

const PAGE = { url: 'https://example.com/' };
const JOB = { urls: [PAGE.url] };
const PROFILE = {
  name: 'another shop',
  login: { url: PAGE.url, actions: [{ click: '#sign-in' }], check: { present: '.account' } },
};
const CHANNEL = { type: 'webhook', name: 'Buyers', ...PAGE };
const RECIPE = {
  name: 'A recipe',
  options: { selectors: { title: 'h1' } },
  tests: [{ name: 'a page', html: '<h1>A page</h1>', expect: { title: 'A page' } }],
};
const SCHEDULE = { ...PAGE, cron: '0 9 * * *' };

function ask(path: string, options: CallOptions = {}): Promise<TestAnswer> {
  return call(gateway.url + path, { key: owner.key, ...options });
}

function scrapeThatFails(code: ErrorCode): Promise<TestAnswer> {
  worker.follow(() => failed(code));
  return ask('/v1/scrape', { body: PAGE });
}

function keepPage(): Promise<string> {
  const kept = { page: packedPage('<h1>A page</h1>'), now: new Date() };
  const limits = { retentionMs: 60_000, quotaBytes: 1024 * 1024 };
  return bed.stores.snapshots.insertSnapshot({ accountId: owner.accountId, ...kept, ...limits });
}

async function keepFile(): Promise<string> {
  const owned = { id: createId('fil'), accountId: owner.accountId };
  const traits = { name: 'a.txt', contentType: 'text/plain', size: 0, sha256: '' };
  await bed.stores.files.finishFile(owned, traits, { now: new Date(), retentionMs: 60_000 });
  return owned.id;
}

/** Stores a dataset with one record, and returns its name. */
async function keepDataset(): Promise<string> {
  await seedRecords(bed.stores, owner.accountId, 'books', [{ isbn: 'b/1' }]);
  return 'books';
}

/** Creates a schedule whose price is not found any more. */
async function fallenSchedule(): Promise<string> {
  const { json } = await ask('/v1/schedules', { body: { ...SCHEDULE, selectors: { price: '.price' } } });
  await seedHealth(bed.stores, { id: json.schedule.id, accountId: owner.accountId });
  return json.schedule.id;
}

async function exceed(limit: number): Promise<TestAnswer> {
  const { key } = await bed.createKey();
  for (let count = 0; count < limit; count++) await ask('/v1/keys/none', { key, method: 'DELETE' });
  return ask('/v1/keys/none', { key, method: 'DELETE' });
}

function commandThatFails(code: ErrorCode, method: 'POST' | 'DELETE'): Promise<TestAnswer> {
  orchestrator.follow(() => {
    throw new AppError(code);
  });
  return method === 'POST' ? ask('/v1/jobs', { body: JOB }) : ask('/v1/jobs/job_1', { method });
}

/**
 * A call for every error that a response can have; a code without one does not compile. ROBOTS_DENIED is only in results:
 * no call waits for a crawl.
 */
const PROVOCATIONS: Record<Exclude<ErrorCode, 'ROBOTS_DENIED'>, () => Promise<TestAnswer>> = {
  INVALID_URL: () => ask('/v1/scrape', { body: { url: 'http://10.0.0.1/' } }),
  INVALID_REQUEST: () => ask('/v1/scrape', { body: {} }),
  INVALID_JSON: () => ask('/v1/scrape', { body: '{' }),
  INVALID_SELECTOR: () => ask('/v1/scrape', { body: { ...PAGE, selectors: { a: '..' } } }),
  NOT_CONFIGURED: () =>
    ask('/v1/scrape', {
      body: { ...PAGE, extract: { schema: { type: 'object', properties: { title: { type: 'string' } } } } },
    }),
  UNAUTHORIZED: () => ask('/v1/usage', { key: 'gl_unknown' }),
  INSUFFICIENT_CREDITS: async () =>
    ask('/v1/scrape', { key: (await bed.createKey({ balance: 0 })).key, body: PAGE }),
  FORBIDDEN: async () => ask('/v1/usage', { key: (await bed.createKey({ scopes: ['jobs'] })).key }),
  BLOCKED: () => scrapeThatFails('BLOCKED'),
  NOT_FOUND: () => scrapeThatFails('NOT_FOUND'),
  JOB_NOT_FOUND: () => ask('/v1/jobs/job_none'),
  JOB_NOT_CANCELLABLE: () => commandThatFails('JOB_NOT_CANCELLABLE', 'DELETE'),
  JOB_NOT_FINISHED: async () => {
    const { id } = await seedJob(bed.stores, owner.accountId, ['waiting']);
    return ask(`/v1/jobs/${id}/rerun`, { method: 'POST' });
  },
  SUGGESTION_OUTDATED: () =>
    ask(`/v1/schedules/${fallenScheduleId}/health/accept`, { body: { suggestedFor: 'another' } }),
  NO_SUGGESTION: () =>
    ask(`/v1/schedules/${fallenScheduleId}/health/accept`, { body: { fields: ['title'] } }),
  IDEMPOTENCY_CONFLICT: () => commandThatFails('IDEMPOTENCY_CONFLICT', 'POST'),
  SCREENSHOT_NOT_FOUND: async () => {
    const { id } = await seedJob(bed.stores, owner.accountId, [{ data: {} }]);
    return ask(`/v1/jobs/${id}/results/0/screenshot`);
  },
  TRACE_NOT_FOUND: () => ask('/v1/scrapes/req_none/trace'),
  SNAPSHOT_NOT_FOUND: () => ask('/v1/snapshots/snp_none/view'),
  FILE_NOT_FOUND: () => ask('/v1/files/fil_none'),
  SCHEDULE_NOT_FOUND: () => ask('/v1/schedules/sch_none'),
  SECRET_NOT_FOUND: () => ask('/v1/secrets/none', { method: 'DELETE' }),
  CHANNEL_NOT_FOUND: () => ask('/v1/channels/chn_none'),
  RECIPE_NOT_FOUND: () => ask('/v1/recipes/rec_none'),
  RECIPE_AMBIGUOUS: async () => {
    for (const name of ['one', 'two'])
      await ask('/v1/recipes', { body: { name, match: ['https://example.com/**'], options: {} } });
    return ask('/v1/scrape', { body: { ...PAGE, recipe: 'auto' } });
  },
  PROFILE_NOT_FOUND: () => ask('/v1/profiles/prof_none'),
  DELIVERY_NOT_FOUND: () => ask('/v1/webhooks/deliveries/del_none/redeliver', { method: 'POST' }),
  DATASET_NOT_FOUND: () => ask('/v1/datasets/none'),
  RECORD_NOT_FOUND: async () => ask(`/v1/datasets/${await keepDataset()}/records/none/history`),
  NOTHING_TO_COMPARE: () => ask(`/v1/schedules/${scheduleId}/diff`),
  DATASET_KEY_DIFFERS: async () =>
    ask('/v1/jobs', { body: { ...JOB, dataset: { name: await keepDataset(), key: ['title'] } } }),
  REVISION_GONE: async () => ask(`/v1/datasets/${await keepDataset()}/records?since=99`),
  KEY_NOT_FOUND: () => ask('/v1/keys/none', { method: 'DELETE' }),
  ROUTE_NOT_FOUND: () => ask('/v9/scrape'),
  METHOD_NOT_ALLOWED: () => ask('/v1/scrape', { method: 'DELETE' }),
  TIMEOUT: () => scrapeThatFails('TIMEOUT'),
  PAYLOAD_TOO_LARGE: () => ask('/v1/scrape', { body: 'x'.repeat(1024 * 1024 + 1) }),
  UNSUPPORTED_MEDIA_TYPE: () => ask('/v1/scrape', { body: PAGE, headers: { 'content-type': 'text/xml' } }),
  UNSUPPORTED_CONTENT: () => scrapeThatFails('UNSUPPORTED_CONTENT'),
  REQUIRED_FIELD_MISSING: () => scrapeThatFails('REQUIRED_FIELD_MISSING'),
  ACTION_FAILED: () => scrapeThatFails('ACTION_FAILED'),
  PROFILE_EXPIRED: () => scrapeThatFails('PROFILE_EXPIRED'),
  LOGIN_REQUIRED: () => scrapeThatFails('LOGIN_REQUIRED'),
  RENDER_NEEDED: () => scrapeThatFails('RENDER_NEEDED'),
  RATE_LIMITED: () => exceed(50),
  INTERNAL_ERROR: () => scrapeThatFails('INTERNAL_ERROR'),
  UPSTREAM_ERROR: () => scrapeThatFails('UPSTREAM_ERROR'),
  OUTCOME_UNKNOWN: () => scrapeThatFails('OUTCOME_UNKNOWN'),
  PROXY_ERROR: () => scrapeThatFails('PROXY_ERROR'),
  MODEL_FAILED: async () => {
    const { url } = await bed.startGateway({ LLM_URL: 'http://127.0.0.1:9/v1', LLM_MODEL: 'test-model' });
    const schema = { type: 'object', properties: { title: { type: 'string' } } };
    const body = { schema, prompt: 'fail' };
    return call(`${url}/v1/snapshots/${await keepPage()}/suggest`, { key: owner.key, body });
  },
  SEARCH_FAILED: () => ask('/v1/search', { body: { query: 'failing' } }),
  SEARCH_MISCONFIGURED: () => ask('/v1/search', { body: { query: 'forbidden' } }),
  SERVICE_UNAVAILABLE: () => ask('/v1/scrape', { body: { ...PAGE, render: true } }),
};

/** A call that succeeds, for every route. */
const SUCCESSES: Record<RouteName, () => Promise<TestAnswer>> = {
  scrape: () => ask('/v1/scrape', { body: PAGE }),
  extract: () => ask('/v1/extract', { body: { html: '<h1>A page</h1>' } }),
  map: () => ask('/v1/map', { body: { url: PAGE.url } }),
  search: () => ask('/v1/search', { body: { query: 'kettle' } }),
  getTrace: async () => {
    const { headers } = await ask('/v1/scrape', { body: PAGE });
    return ask(`/v1/scrapes/${headers['x-request-id']}/trace`);
  },
  extractSnapshot: async () => ask(`/v1/snapshots/${await keepPage()}/extract`, { body: {} }),
  suggestSelectors: async () =>
    ask(`/v1/snapshots/${await keepPage()}/suggest`, { body: { kind: 'one', picks: [0] } }),
  viewSnapshot: async () => ask(`/v1/snapshots/${await keepPage()}/view`),
  getFile: async () => ask(`/v1/files/${await keepFile()}`),
  createJob: () => ask('/v1/jobs', { body: JOB }),
  listJobs: () => ask('/v1/jobs'),
  getJob: () => ask(`/v1/jobs/${job.id}`),
  cancelJob: () => {
    orchestrator.follow(() => ({ ...job, status: 'cancelled' }));
    return ask(`/v1/jobs/${job.id}`, { method: 'DELETE' });
  },
  rerunJob: () => ask(`/v1/jobs/${job.id}/rerun`, { method: 'POST' }),
  extractJob: async () => ask(`/v1/jobs/${await seedKeptJob()}/extract`, { body: {} }),
  getJobChanges: () => ask(`/v1/jobs/${job.id}/changes`),
  getJobUrls: () => ask(`/v1/jobs/${job.id}/urls`),
  getJobResults: () => ask(`/v1/jobs/${job.id}/results`),
  getJobScreenshot: async () => {
    const seen = [{ data: {}, screenshot: Buffer.from('PNG') }];
    const { id } = await seedJob(bed.stores, owner.accountId, seen);
    return ask(`/v1/jobs/${id}/results/0/screenshot`);
  },
  getJobTrace: async () => {
    const { id } = await seedJob(bed.stores, owner.accountId, [{ data: {} }]);
    return ask(`/v1/jobs/${id}/results/0/trace`);
  },
  getJobEvents: () => ask(`/v1/jobs/${job.id}/events`),
  listSinks: () => ask('/v1/sinks'),
  listDatasets: () => ask('/v1/datasets'),
  getDataset: async () => ask(`/v1/datasets/${await keepDataset()}`),
  listRecords: async () => ask(`/v1/datasets/${await keepDataset()}/records`),
  getRecordHistory: async () => ask(`/v1/datasets/${await keepDataset()}/records/b%2F1/history`),
  deleteDataset: async () => ask(`/v1/datasets/${await keepDataset()}`, { method: 'DELETE' }),
  putSecret: () => ask('/v1/secrets/shop', { method: 'PUT', body: { value: 'password' } }),
  listSecrets: () => ask('/v1/secrets'),
  deleteSecret: async () => {
    await ask('/v1/secrets/other', { method: 'PUT', body: { value: 'password' } });
    return ask('/v1/secrets/other', { method: 'DELETE' });
  },
  createSchedule: async () => {
    const answer = await ask('/v1/schedules', { body: SCHEDULE });
    scheduleId = answer.json.schedule.id;
    return answer;
  },
  listSchedules: () => ask('/v1/schedules'),
  previewSchedule: () => ask('/v1/schedules/preview?cron=0%209%20*%20*%20*'),
  getScheduleHealth: async () => ask(`/v1/schedules/${await fallenSchedule()}/health`),
  acceptSuggestions: async () => ask(`/v1/schedules/${await fallenSchedule()}/health/accept`, { body: {} }),
  getSchedule: () => ask(`/v1/schedules/${scheduleId}`),
  updateSchedule: () => ask(`/v1/schedules/${scheduleId}`, { method: 'PATCH', body: { name: 'Other' } }),
  pauseSchedule: () => ask(`/v1/schedules/${scheduleId}/pause`, { method: 'POST' }),
  resumeSchedule: () => ask(`/v1/schedules/${scheduleId}/resume`, { method: 'POST' }),
  runSchedule: () => ask(`/v1/schedules/${scheduleId}/run`, { method: 'POST' }),
  listScheduleRules: () => ask(`/v1/schedules/${scheduleId}/rules`),
  listScheduleRuns: () => ask(`/v1/schedules/${scheduleId}/runs`),
  listScheduleChanges: () => ask(`/v1/schedules/${scheduleId}/changes`),
  getScheduleFeed: () => ask(`/v1/schedules/${scheduleId}/feed`),
  rotateScheduleFeed: () => ask(`/v1/schedules/${scheduleId}/feed/rotate`, { method: 'POST' }),
  readScheduleAtom: () => ask(`/v1/schedules/${scheduleId}/feed.atom`),
  readScheduleFeed: () => ask(`/v1/schedules/${scheduleId}/feed.json`),
  getScheduleDiff: async () => {
    const pages = [{ formats: { markdown: 'a' } }];
    for (let count = 0; count < 2; count += 1) {
      await seedRun(bed, { accountId: owner.accountId, scheduleId, pages });
    }
    return ask(`/v1/schedules/${scheduleId}/diff`);
  },
  deleteSchedule: () => ask(`/v1/schedules/${scheduleId}`, { method: 'DELETE' }),
  createRecipe: async () => {
    const answer = await ask('/v1/recipes', { body: RECIPE });
    recipeId = answer.json.recipe.id;
    return answer;
  },
  listRecipes: () => ask('/v1/recipes'),
  getRecipe: () => ask(`/v1/recipes/${recipeId}`),
  updateRecipe: () => ask(`/v1/recipes/${recipeId}`, { method: 'PATCH', body: { name: 'Other' } }),
  testRecipe: () => ask(`/v1/recipes/${recipeId}/test`, { method: 'POST' }),
  tryRecipe: () => ask('/v1/recipes/test', { body: { options: {}, tests: RECIPE.tests } }),
  addRecipePage: () => ask('/v1/recipes/pages', { body: { html: '<h1>A page</h1>' } }),
  getRecipePage: async () => {
    const { json } = await ask('/v1/recipes/pages', { body: { html: '<h1>A page</h1>' } });
    return ask(`/v1/recipes/pages/${json.page.sha256}`);
  },
  recordTest: async () =>
    ask(`/v1/recipes/${recipeId}/tests/record`, { body: { jobId: await seedKeptResult(), index: 0 } }),
  deleteRecipe: () => ask(`/v1/recipes/${recipeId}`, { method: 'DELETE' }),
  createProfile: async () => {
    const answer = await ask('/v1/profiles', { body: PROFILE });
    profileId = answer.json.profile.id;
    return answer;
  },
  listProfiles: () => ask('/v1/profiles'),
  getProfile: () => ask(`/v1/profiles/${profileId}`),
  updateProfile: () => ask(`/v1/profiles/${profileId}`, { method: 'PATCH', body: { ttl: 60_000 } }),
  loginProfile: () => ask(`/v1/profiles/${profileId}/login`, { method: 'POST' }),
  getProfileState: () => ask(`/v1/profiles/${profileId}/state`),
  deleteProfile: () => ask(`/v1/profiles/${profileId}`, { method: 'DELETE' }),
  getWebhookSecret: () => ask('/v1/webhooks/secret'),
  rotateWebhookSecret: () => ask('/v1/webhooks/secret/rotate', { method: 'POST' }),
  listWebhookDeliveries: () => ask('/v1/webhooks/deliveries'),
  redeliverWebhook: async () => {
    const { id } = await seedDelivery(bed.stores, owner.accountId);
    return ask(`/v1/webhooks/deliveries/${id}/redeliver`, { method: 'POST' });
  },
  testWebhook: () => ask('/v1/webhooks/test', { body: PAGE }),
  createChannel: async () => {
    const answer = await ask('/v1/channels', { body: CHANNEL });
    channelId = answer.json.channel.id;
    return answer;
  },
  listChannels: () => ask('/v1/channels'),
  getChannel: () => ask(`/v1/channels/${channelId}`),
  updateChannel: () => ask(`/v1/channels/${channelId}`, { method: 'PATCH', body: { name: 'Other' } }),
  testChannel: () => ask(`/v1/channels/${channelId}/test`, { method: 'POST' }),
  deleteChannel: () => ask(`/v1/channels/${channelId}`, { method: 'DELETE' }),
  createKey: () => ask('/v1/keys', { body: {} }),
  listKeys: () => ask('/v1/keys'),
  getCurrentKey: () => ask('/v1/keys/current'),
  revokeKey: () => ask(`/v1/keys/${owner.keyId}`, { method: 'DELETE' }),
  estimate: () => ask('/v1/estimate', { body: PAGE }),
  getUsage: () => ask('/v1/usage'),
  getSystem: () => ask('/v1/system'),
};

/** Seeds a job whose page is kept, and returns its id. */
async function seedKeptJob(): Promise<string> {
  const { id: jobId } = await seedJob(bed.stores, owner.accountId, [{ data: {} }], { snapshot: true });
  await keepPageOf(bed.stores, { jobId, accountId: owner.accountId });
  return jobId;
}

/** Seeds a job with a result whose page is kept, and returns its id. */
async function seedKeptResult(): Promise<string> {
  const page = { data: { title: 'A page' }, snapshotId: await keepPage() };
  return (await seedJob(bed.stores, owner.accountId, [page])).id;
}

/** Values of path parameters. */
const PARAMETERS: Readonly<Record<string, () => string>> = {
  updateSchedule: () => scheduleId,
  updateProfile: () => profileId,
  updateChannel: () => channelId,
  updateRecipe: () => recipeId,
  recordTest: () => recipeId,
  acceptSuggestions: () => fallenScheduleId,
  rerunJob: () => failedJob.id,
  extractJob: () => keptJobId,
  extractSnapshot: () => snapshotId,
  suggestSelectors: () => snapshotId,
};

describe('the contract', () => {
  it('shows a body for each route that succeeds as it stands', async () => {
    scheduleId = (await ask('/v1/schedules', { body: SCHEDULE })).json.schedule.id;
    fallenScheduleId = await fallenSchedule();
    profileId = (await ask('/v1/profiles', { body: PROFILE })).json.profile.id;
    channelId = (await ask('/v1/channels', { body: CHANNEL })).json.channel.id;
    recipeId = (await ask('/v1/recipes', { body: RECIPE })).json.recipe.id;
    snapshotId = await keepPage();
    keptJobId = await seedKeptJob();
    const keptResultId = await seedKeptResult();
    const failure = toFailure(new AppError('NOT_FOUND'));
    failedJob = await seedJob(bed.stores, owner.accountId, [{ data: {} }, { failure }]);
    for (const [name, route] of Object.entries<RouteDefinition>(ROUTES)) {
      if (!route.body) continue;
      const { method, path, bodyExample, moreExamples = {}, status } = route;
      const at = path.replace(/\{(id|name)\}/, () => PARAMETERS[name]?.() ?? 'missing');
      for (const example of [bodyExample, ...Object.values(moreExamples).map(({ value }) => value)]) {
        // No job has the id of an example.
        const body = name === 'recordTest' ? { ...example, jobId: keptResultId } : example;
        const answer = await ask(at, { method: method.toUpperCase(), body });
        expect([name, answer.status, answer.json.error]).toEqual([name, status, undefined]);
      }
    }
  });

  it.each(Object.entries(PROVOCATIONS))('is kept by a response with %s', async (code, provoke) => {
    const { json } = await provoke();
    expect(json.error.code).toBe(code);
  });

  it('is kept by every route that succeeds', async () => {
    owner = await bed.createKey();
    job = await seedJob(bed.stores, owner.accountId, [{ data: { title: 'A page' } }]);
    for (const name of [...Object.keys(ROUTES).filter((route) => route !== 'revokeKey'), 'revokeKey']) {
      await SUCCESSES[name as RouteName]();
    }
    expect([...routesSeenToSucceed].sort()).toEqual(Object.keys(ROUTES).sort());
  });
});
