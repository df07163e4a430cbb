import { eventually, type MembersSite, startMembersSite } from '@gleaner/test-kit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HAS_BROWSER, type TestStack } from '../stack/test/test-stack.ts';
import { joinStack } from './join-stack.ts';

let bed: TestStack;
let site: MembersSite;
let count = 0;

beforeAll(async () => {
  bed = await joinStack();
});
afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});
beforeEach(async () => {
  site = await startMembersSite();
});

afterEach(() => site.close());

const LOGIN_ACTIONS = [
  { fill: '#user', value: 'ada' },
  { fill: '[type=password]', value: { secret: 'members' } },
  { click: 'button' },
];
const SELECTORS = { title: 'h1', name: '.account' };

/** Creates a profile that signs in with a secret. */
async function createProfile(given: object = {}) {
  count += 1;
  await bed.ask('/v1/secrets/members', { value: 'correct horse', origins: [site.origin] }, 'PUT');
  const { json } = await bed.ask('/v1/profiles', {
    name: `members ${count}`,
    login: {
      url: `${site.origin}/members/login`,
      actions: LOGIN_ACTIONS,
      check: { present: '.account' },
    },
    ...given,
  });
  return json.profile;
}

async function profileIn(status: RegExp, id: string) {
  return await eventually(async () => {
    const { profile } = (await bed.ask(`/v1/profiles/${id}`)).json;
    expect(profile.status).toMatch(status);
    return profile;
  });
}

async function finished(id: string) {
  const job = await eventually(async () => {
    const { json } = await bed.ask(`/v1/jobs/${id}`);
    expect(json.job.status).toMatch(/completed|partial|failed/);
    return json.job;
  });
  const { bytes } = await bed.ask(`/v1/jobs/${id}/results?format=ndjson`);
  const lines = bytes.toString().trim().split('\n');
  return { job, results: lines.map((line) => JSON.parse(line)) };
}

async function used(): Promise<number> {
  return (await bed.ask('/v1/usage')).json.usage.used;
}

/** Lets the site show some pages, and the others once the returned function is called. */
function holdPagesAfter(shown: number): () => void {
  const { promise: letGo, resolve } = Promise.withResolvers<void>();
  const { routes, counts } = site;
  for (const route of routes) {
    const { behavior } = route;
    const hold: typeof behavior = async (exchange) => {
      if (counts.pages >= shown) await letGo;
      await behavior(exchange);
    };
    Object.assign(route, { behavior: hold });
  }
  return resolve;
}

const urlsOf = (pages: number) =>
  Array.from({ length: pages }, (_, index) => `${site.origin}/members/${index}`);

(HAS_BROWSER ? describe : describe.skip)('profiles over REST', () => {
  it('sign in once, for scrapes without and with a browser, and again when the session is over', async () => {
    const before = await used();
    const profile = await createProfile();
    for (const render of [false, true]) {
      const url = `${site.origin}/members/home`;
      const { json } = await bed.ask('/v1/scrape', {
        url,
        render,
        profile: profile.id,
        selectors: SELECTORS,
      });
      expect(json.data).toEqual({ title: '/members/home', name: 'Ada' });
    }
    expect(site.counts).toMatchObject({ logins: 1, expired: 0 });
    site.signOut();
    const url = `${site.origin}/members/again`;
    const asked = await Promise.all(
      [1, 2, 3].map(() => bed.ask('/v1/scrape', { url, profile: profile.id, selectors: SELECTORS })),
    );
    for (const { json } of asked) expect(json.data).toEqual({ title: '/members/again', name: 'Ada' });
    expect(site.counts.logins).toBe(2);
    expect((await used()) - before).toBe(5 + 1 + 5 + 5 + 3);
  });

  it('sign in once for each expiry with any number of waiting pages, and store no login page', async () => {
    site.rules.pagesPerSession = 50;
    const profile = await createProfile();
    const before = await used();
    const body = { urls: urlsOf(220), profile: profile.id, selectors: SELECTORS };
    const { json } = await bed.ask('/v1/jobs', body);
    const { job, results } = await finished(json.job.id);
    expect(job).toMatchObject({ status: 'completed', completedUrls: 220, failedUrls: 0, creditsUsed: 220 });
    for (const [index, { data }] of results.entries())
      expect(data).toEqual({ title: `/members/${index}`, name: 'Ada' });
    // 220 pages take five sessions of 50.
    expect(site.counts).toMatchObject({ logins: 5, refused: 0, pages: 220 });
    expect((await profileIn(/ready/, profile.id)).logins).toBe(5);
    expect((await used()) - before).toBe(220 + 5 * 5);
  });

  it('follow a cookie that every page replaces, in rendered jobs', async () => {
    site.rules.rotates = true;
    const profile = await createProfile();
    const body = { urls: urlsOf(6), render: true, profile: profile.id, selectors: SELECTORS };
    const { json } = await bed.ask('/v1/jobs', body);
    const { job } = await finished(json.job.id);
    expect(job).toMatchObject({ status: 'completed', completedUrls: 6 });
    expect(site.counts).toMatchObject({ logins: 1, expired: 0 });
  });

  it('are shared by two jobs', async () => {
    site.rules.pagesPerSession = 20;
    const profile = await createProfile();
    const ids = await Promise.all(
      [1, 2].map(async () => {
        const body = { urls: urlsOf(30), profile: profile.id, selectors: SELECTORS };
        return (await bed.ask('/v1/jobs', body)).json.job.id;
      }),
    );
    for (const id of ids) expect((await finished(id)).job.status).toBe('completed');
    expect(site.counts).toMatchObject({ logins: 3, pages: 60 });
  });

  it('end a job instead of storing login pages, where the password has changed', async () => {
    site.rules.pagesPerSession = 5;
    const profile = await createProfile();
    await profileIn(/ready/, profile.id);
    site.rules.password = 'another';
    const { json } = await bed.ask('/v1/jobs', {
      urls: urlsOf(20),
      profile: profile.id,
      selectors: SELECTORS,
    });
    const { job, results } = await finished(json.job.id);
    expect(job).toMatchObject({ status: 'partial', completedUrls: 20, failedUrls: 15, creditsUsed: 5 });
    const codes = results.flatMap(({ error }) => error?.code ?? []);
    expect(new Set(codes)).toEqual(new Set(['PROFILE_EXPIRED']));
    expect(site.counts.refused).toBe(1);
    const failed = await profileIn(/failed/, profile.id);
    expect(failed.lastError).toMatchObject({ code: 'PROFILE_EXPIRED' });
    const scrape = await bed.ask('/v1/scrape', { url: `${site.origin}/members/x`, profile: profile.id });
    expect([scrape.status, scrape.json.error.code]).toEqual([422, 'PROFILE_EXPIRED']);
    expect(site.counts.refused).toBe(1);
  });

  it('are given up where two logins in a row sign no page in, and end their jobs', async () => {
    const login = { actions: LOGIN_ACTIONS, check: { url: '/members/home' } };
    const profile = await createProfile({ login: { url: `${site.origin}/members/login`, ...login } });
    const { json } = await bed.ask('/v1/jobs', { urls: urlsOf(3), profile: profile.id });
    expect((await finished(json.job.id)).job).toMatchObject({ status: 'failed', creditsUsed: 0 });
    const failed = await profileIn(/failed/, profile.id);
    expect(failed.lastError.message).toContain('2 sessions in a row');
    const scrape = await bed.ask('/v1/scrape', { url: urlsOf(1)[0], profile: profile.id });
    expect(scrape.json.error.code).toBe('PROFILE_EXPIRED');
    expect(site.counts).toMatchObject({ logins: 2, refused: 0 });
  });

  it('end a job when they are deleted while it runs', async () => {
    const profile = await createProfile();
    await profileIn(/ready/, profile.id);
    const letGo = holdPagesAfter(4);
    const { json } = await bed.ask('/v1/jobs', {
      urls: urlsOf(400),
      profile: profile.id,
      selectors: SELECTORS,
    });
    await eventually(() => expect(site.counts.pages).toBeGreaterThan(3));
    await bed.ask(`/v1/profiles/${profile.id}`, undefined, 'DELETE');
    letGo();
    const { job } = await finished(json.job.id);
    expect(job.status).toBe('partial');
    const gone = await bed.ask('/v1/jobs', { urls: urlsOf(1), profile: profile.id });
    expect(gone.json.error.code).toBe('PROFILE_NOT_FOUND');
  });

  it('refuse options that would change the session', async () => {
    const profile = 'prof_1';
    const body = { url: site.origin, profile, cookies: [], antiBot: true, headers: { Authorization: 'x' } };
    const { json } = await bed.ask('/v1/scrape', body);
    expect(json.error.details.map(({ path }: { path: string }) => path)).toEqual([
      'antiBot',
      'cookies',
      'headers.Authorization',
    ]);
  });
});
