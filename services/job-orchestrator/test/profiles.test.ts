import { mock } from 'node:test';
import {
  AppError,
  createId,
  defined,
  type PageOutcome,
  type ScrapeReply,
  toFailure,
} from '@gleaner/contracts';
import { eventually } from '@gleaner/test-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { failed, found, type ScriptedPage, type ScriptedScraper } from './scripted-scraper.ts';
import { startTestBed, type TestBed } from './start-test-bed.ts';

let bed: TestBed;
let scraper: ScriptedScraper;
/** Logins that scrapers were asked for, and the answer to each. */
let logins: number;
let answer: () => ScrapeReply;

beforeEach(async () => {
  bed = await startTestBed();
  logins = 0;
  answer = () => signedIn(`state ${logins}`);
  bed.broker.respond(
    'scrape.browser',
    async () => {
      logins += 1;
      return answer();
    },
    { concurrency: 4 },
  );
  await bed.startOrchestrator();
  scraper = await bed.startScraper();
});
afterEach(async () => {
  await bed[Symbol.asyncDispose]();
});

function signedIn(state: string): ScrapeReply {
  const result = {
    warnings: [],
    finalUrl: 'https://a.test/account',
    statusCode: 200,
    engine: 'browser' as const,
    timestamp: '2026-01-31T12:00:00.000Z',
    attempts: [],
    price: { base: 1, render: 4 },
    leftState: { revision: 1, state },
  };
  return { ok: true, result };
}

/** Stores a profile with a session and steps that sign in. */
async function storeProfile(accountId = bed.accountId, proxy?: string): Promise<string> {
  const id = createId('prof');
  const settings = {
    name: id,
    sealedActions: 'steps',
    loginUrl: 'https://a.test/login',
    checkJson: JSON.stringify({ present: '.account' }),
    ...defined({ proxy }),
  };
  await bed.stores.profiles.insertProfile(
    { id, accountId, settings, session: { sealedState: 'state 0' } },
    new Date(),
  );
  return id;
}

const profileOf = async (id: string) => await bed.stores.profiles.findProfile(bed.accountId, id);

/** Outcomes of a page with a good session, and of a page with an expired one. */
function passed({ body }: ScriptedPage): PageOutcome['outcome'] {
  return { ...found(body), session: body.profile?.session } as PageOutcome['outcome'];
}
function refused({ body: { profile } }: ScriptedPage): PageOutcome['outcome'] {
  const { session = 0, revision = 0 } = profile ?? {};
  return { ...failed('PROFILE_EXPIRED'), signedOut: { session, revision } } as PageOutcome['outcome'];
}

const urlsOf = (count: number) => Array.from({ length: count }, (_, index) => `https://a.test/${index}`);

describe('the pages of a profile', () => {
  it('wait for one login where their session is over, and are attempted again with the new one', async () => {
    const profile = await storeProfile();
    scraper.follow((page) => (page.body.profile?.session === 1 ? refused(page) : passed(page)));
    const { id } = await bed.create({ urls: urlsOf(30), profile });
    expect(await bed.untilJob(id, 'completed')).toMatchObject({ completedUrls: 30, creditsUsed: 30 });
    expect(logins).toBe(1);
    expect(await profileOf(profile)).toMatchObject({ status: 'ready', logins: 2, sealedState: 'state 1' });
    expect(scraper.commands.at(-1)?.profile).toMatchObject({ session: 2, state: 'state 1' });
    expect(scraper.load.peak).toBeLessThanOrEqual(4);
  });

  it('go out one at a time where a browser may get them, over all jobs', async () => {
    const profile = await storeProfile();
    scraper.follow(passed);
    const options = { profile, render: 'auto' } as const;
    const jobs = await Promise.all([0, 1].map(() => bed.create({ urls: urlsOf(6), ...options })));
    for (const { id } of jobs)
      expect(await bed.untilJob(id, 'completed')).toMatchObject({ completedUrls: 6 });
    expect(scraper.load.peak).toBe(1);
  });

  it('do not read the profile at each dispatch', async () => {
    const held = Promise.withResolvers<void>();
    scraper.follow(async (page) => {
      if (page.body.profile) await held.promise;
      return passed(page);
    });
    const { id } = await bed.create({ urls: urlsOf(1), profile: await storeProfile() });
    await bed.untilJob(id, 'running');
    const read = mock.method(bed.stores.profiles, 'findStandings');
    const readJobs = mock.method(bed.stores.jobs, 'findActiveIds');
    const other = await bed.create({ urls: urlsOf(60) });
    await bed.untilJob(other.id, 'completed');
    const reads = read.mock.calls.filter(({ arguments: [ids] }) => ids.length > 0);
    read.mock.restore();
    readJobs.mock.restore();
    held.resolve();
    await bed.untilJob(id, 'completed');
    // Profiles are read together with the list of jobs; one list may have been read before they were counted.
    expect(reads.length).toBeLessThanOrEqual(readJobs.mock.callCount() + 1);
  });

  it('are attempted again without a login where another page has replaced their state', async () => {
    const profile = await storeProfile();
    scraper.follow(async (page) => {
      const { url } = page.body.request;
      const { revision = 0 } = page.body.profile ?? {};
      if (revision > 1) return passed(page);
      if (url.endsWith('/0'))
        return { ...passed(page), leftState: { revision, state: 'replaced' } } as PageOutcome['outcome'];
      // Others learn that they are signed out once the first one has replaced the state.
      await eventually(async () => expect((await profileOf(profile))?.revision).toBe(2));
      return refused(page);
    });
    const { id } = await bed.create({ urls: urlsOf(10), profile });
    expect(await bed.untilJob(id, 'completed')).toMatchObject({ failedUrls: 0 });
    expect(logins).toBe(0);
    expect(await profileOf(profile)).toMatchObject({ logins: 1, sealedState: 'replaced' });
  });

  it.each<[string, string | undefined, object]>([
    ['another one', 'de', { proxy: 'us' }],
    ['none', undefined, { proxy: 'us' }],
    ['one by now', 'de', {}],
  ])('go out by the proxy that the profile has now, where it has %s', async (_name, proxy, copied) => {
    const profile = await storeProfile(bed.accountId, proxy);
    scraper.follow(passed);
    for (const run of [{}, { scheduleId: createId('sch') }]) {
      const { id } = await bed.create({ urls: urlsOf(1), profile, ...copied }, run);
      await bed.untilJob(id, 'completed');
      expect(scraper.commands.at(-1)?.request.proxy).toBe(proxy);
      const [stored] = await bed.stores.jobs.findJobs([id]);
      if ('scheduleId' in run) expect(JSON.parse(stored?.optionsJson ?? '').proxy).toBe(proxy);
    }
    expect(logins).toBe(0);
  });

  it('fail with the rest of their job where two logins in a row do not sign them in', async () => {
    const profile = await storeProfile();
    scraper.follow(refused);
    const { id } = await bed.create({ urls: urlsOf(20), profile });
    const job = await bed.untilJob(id, 'failed');
    expect(job).toMatchObject({ failedUrls: 20, creditsUsed: 0 });
    expect(logins).toBe(2);
    expect(await profileOf(profile)).toMatchObject({
      status: 'failed',
      lastError: { code: 'PROFILE_EXPIRED' },
    });
    const next = await bed.create({ urls: urlsOf(5), profile });
    await bed.untilJob(next.id, 'failed');
    expect(logins).toBe(2);
  });

  it('fail where the login fails, which is not repeated', async () => {
    const profile = await storeProfile();
    answer = () => ({ ok: false, failure: toFailure(new AppError('ACTION_FAILED')), attempts: [] });
    scraper.follow((page) => (page.body.request.url.endsWith('/0') ? passed(page) : refused(page)));
    const { id } = await bed.create({ urls: urlsOf(10), profile });
    await bed.untilJob(id, 'partial');
    expect(logins).toBe(1);
    expect(await profileOf(profile)).toMatchObject({
      status: 'failed',
      lastError: { code: 'ACTION_FAILED' },
    });
  });

  it('wait for a login that is repeated where the way to the site has failed', async () => {
    const profile = await storeProfile();
    answer = () =>
      logins === 1
        ? { ok: false, failure: toFailure(new AppError('UPSTREAM_ERROR')), attempts: [] }
        : signedIn('state');
    scraper.follow((page) => (page.body.profile?.session === 1 ? refused(page) : passed(page)));
    const { id } = await bed.create({ urls: urlsOf(3), profile });
    await bed.untilJob(id, 'completed');
    expect(logins).toBe(2);
  });

  it('wait for a login for as long as the service cannot ask a scraper', async () => {
    const profile = await storeProfile();
    answer = () =>
      logins < 7
        ? { ok: false, failure: toFailure(new AppError('SERVICE_UNAVAILABLE')), attempts: [] }
        : signedIn('state');
    scraper.follow((page) => (page.body.profile?.session === 1 ? refused(page) : passed(page)));
    const { id } = await bed.create({ urls: urlsOf(3), profile });
    expect(await bed.untilJob(id, 'completed')).toMatchObject({ failedUrls: 0 });
    expect(logins).toBe(7);
  });

  it('are not sent with a profile of another account, nor with one that is deleted', async () => {
    const other = await storeProfile(await bed.addAccount());
    const { id } = await bed.create({ urls: urlsOf(2), profile: other });
    expect(await bed.untilJob(id, 'failed')).toMatchObject({ failedUrls: 2 });
    const profile = await storeProfile();
    await bed.stores.profiles.deleteProfile(bed.accountId, profile);
    const { id: second } = await bed.create({ urls: urlsOf(2), profile });
    await bed.untilJob(second, 'failed');
    expect(scraper.commands).toEqual([]);
  });

  it('of a request that must not be repeated fail alone', async () => {
    const profile = await storeProfile();
    const requests = urlsOf(3).map((url) => ({ url, method: 'POST' as const }));
    scraper.follow((page) => {
      if (page.body.profile?.session === 1 && page.body.request.url.endsWith('/0'))
        return { ...refused(page), wasSent: true } as PageOutcome['outcome'];
      return passed(page);
    });
    const urls = requests.map(({ url }) => url);
    const { id } = await bed.create({ urls, method: 'POST', profile });
    expect(await bed.untilJob(id, 'partial')).toMatchObject({ completedUrls: 3, failedUrls: 1 });
    // The job does not wait for it: its other pages passed.
    await eventually(() => expect(logins).toBe(1));
  });
});
