import type { Profile } from '@gleaner/contracts';
import { type MembersSite, startMembersSite } from '@gleaner/test-kit';
import { createSchedule } from '../check/check-schedule.ts';
import {
  BROWSER_FAULTS,
  type Fault,
  KILLS,
  LOGIN_KILLS,
  NETWORK_FAULTS,
  OUTAGES,
  PAUSES,
} from '../faults.ts';
import type { ChaosOptions, ChaosRun, Workload } from '../workload.ts';
import { runScenario } from './run-jobs.ts';

const FAULTS: Readonly<Record<string, Fault>> = {
  ...LOGIN_KILLS,
  ...KILLS,
  ...OUTAGES,
  ...NETWORK_FAULTS,
  ...PAUSES,
  ...BROWSER_FAULTS,
};
/** Sessions that the pages take, at least: one lasts for a part of them, or for a time. */
const SESSIONS = 20;
const SESSION_MS = 120_000;
/** A login whose process has died is left alone until it cannot be under way any more. */
const MAX_RECOVERY_MS = 90_000;
const CREDITS_A_LOGIN = 5;

/** Prepares jobs with pages behind a login that expires over and over, all with one profile. */
export async function prepareProfiles(
  { urls }: ChaosOptions,
  scope: AsyncDisposableStack,
): Promise<Workload> {
  const pagesPerSession = Math.ceil(urls / SESSIONS);
  const site = scope.use(await startMembersSite({ pagesPerSession, sessionMs: SESSION_MS }));
  const urlOf = (token: string) => `${site.origin}/members/${token}`;
  return {
    stack: {},
    origin: {
      host: new URL(site.origin).host,
      hits: site.hits,
      urlOf,
      [Symbol.asyncDispose]: async () => {},
    },
    async run(run) {
      const { id } = await createProfile(site, run);
      const options = { profile: id, selectors: { token: '#token' } };
      const schedule = await createSchedule(urlOf(`${run.seed}-schedule`), run.client, options);
      const row = await runScenario(
        {
          name: 'a login expires',
          faults: FAULTS,
          order: 'in turn',
          pages: 'plain',
          share: 1,
          count: run.faults,
          urls,
          prefix: `${run.seed}`,
          options,
          maxRecoveryMs: MAX_RECOVERY_MS,
        },
        { ...run, schedule },
      );
      return [{ ...row, ...(await checkLogins(id, site, run)) }];
    },
  };
}

async function createProfile(site: MembersSite, { client }: ChaosRun): Promise<Profile> {
  const login = {
    url: `${site.origin}/members/login`,
    actions: [
      { fill: '#user', value: 'ada' },
      { fill: '[type=password]', value: site.rules.password },
      { click: 'button' },
    ],
    check: { present: '.account' },
  };
  const body = { name: 'members', login };
  const { status, json } = await client.insist<{ profile: Profile }>('POST', '/v1/profiles', body);
  if (status !== 201) throw new Error(`The profile was answered ${status}: ${JSON.stringify(json)}`);
  return json.profile;
}

/**
 * Checks that each login came when the session before was over: one for each expiry, and one more where a process died in a
 * login, whose session no page was asked for with.
 */
async function checkLogins(
  id: string,
  { counts }: MembersSite,
  { client, stack, findings, injected }: ChaosRun,
) {
  const { json } = await client.insist<{ profile: Profile }>('GET', `/v1/profiles/${id}`);
  const { logins: sessions, status, lastError } = json.profile;
  const { needless, unused, logins, refused } = counts;
  const interruptions = Object.values(injected).reduce((sum, count) => sum + count, 0);
  if (needless > 0) findings.doubled.push(`${needless} logins ended a session that was not over.`);
  if (unused > interruptions) findings.doubled.push(`${unused} sessions were opened for nothing.`);
  if (sessions > logins)
    findings.other.push(`The profile says ${sessions} sessions, the site saw ${logins}.`);
  if (refused > 0) findings.other.push(`The site refused ${refused} logins.`);
  if (status === 'failed') findings.other.push(`The profile has failed: ${JSON.stringify(lastError)}`);
  const charged = await stack.stores.credits.sumCharges('login ');
  const isTooMuch = charged.operations > sessions || charged.credits > sessions * CREDITS_A_LOGIN;
  if (isTooMuch)
    findings.chargedTwice.push(`${charged.operations} logins were charged, with ${charged.credits} credits.`);
  return { logins, sessions, unused };
}
