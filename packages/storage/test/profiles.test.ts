import { describe, expect, it } from '@jest/globals';
import { createStores, type Stores } from '../src/index.ts';
import { BACKENDS } from './backends.ts';
import { useBackend } from './use-backend.ts';

const NOW = new Date(1_000_000);
const later = (ms: number) => new Date(NOW.getTime() + ms);

describe.each(BACKENDS)('profiles on $name', ({ start }) => {
  let profiles: Stores['profiles'];
  useBackend(start, (connected) => {
    profiles = createStores(connected).profiles;
  });

  /** Stores a profile that steps can sign in, with a session. */
  async function insert(id: string, sealedActions: string | null = 'actions'): Promise<void> {
    const session = { sealedState: 'state 1' };
    await profiles.insertProfile(
      { id, accountId: 'acc', settings: { name: id, sealedActions }, session },
      NOW,
    );
  }

  const take = (loginId: string, now = NOW, until = later(60_000), except: readonly string[] = []) =>
    profiles.takeLogin(loginId, { now, until, except });
  /** State of a session that no page has changed. */
  const used = (session: number) => ({ session, revision: session });
  const find = (id: string) => profiles.findProfile('acc', id);

  it('begins one login for each session that expires, however many ask', async () => {
    await insert('one');
    await Promise.all(
      Array.from({ length: 20 }, () =>
        profiles.settleSession('one', [{ signedOut: used(1), isLost: false }], NOW),
      ),
    );
    const taken = await Promise.all(['a', 'b', 'c'].map((loginId) => take(loginId)));
    const [login] = taken.filter((each) => each !== null);
    expect(taken.filter((each) => each !== null)).toHaveLength(1);
    await profiles.settleSession('one', [{ signedOut: used(1), isLost: false }], NOW);
    expect(await take('d')).toBeNull();
    const { loginId = '' } = login ?? {};
    const opened = { sealedState: 'state 2', now: NOW, expiresAt: undefined };
    expect(await profiles.openSession({ profileId: 'one', loginId }, opened)).toBe(true);
    // Its answer may have been lost.
    expect(await profiles.openSession({ profileId: 'one', loginId }, opened)).toBe(true);
    expect(await find('one')).toMatchObject({ status: 'ready', logins: 2, sealedState: 'state 2' });
    await profiles.settleSession('one', [{ signedOut: used(1), isLost: false }], NOW);
    await profiles.renewSession('one', 1, NOW);
    expect((await find('one'))?.status).toBe('ready');
  });

  it('gives a login to another process once its taker has died', async () => {
    await insert('dead');
    await profiles.settleSession('dead', [{ signedOut: used(1), isLost: false }], NOW);
    await take('first', NOW, later(1000));
    expect(await take('second', later(999), later(5000))).toBeNull();
    expect(await take('second', later(1000), later(5000))).toMatchObject({ loginTakes: 2 });
    const opened = { sealedState: 'late', now: NOW, expiresAt: undefined };
    expect(await profiles.openSession({ profileId: 'dead', loginId: 'first' }, opened)).toBe(false);
    const failure = { code: 'ACTION_FAILED', message: 'The form has changed.' } as const;
    expect(await profiles.failLogin({ profileId: 'dead', loginId: 'second' }, failure, NOW)).toBe(true);
    expect(await find('dead')).toMatchObject({ status: 'failed', lastError: failure });
    await profiles.settleSession('dead', [{ signedOut: used(1), isLost: false }], NOW);
    expect((await find('dead'))?.status).toBe('failed');
    await profiles.requestLogin({ id: 'dead', logins: 1 }, NOW);
    expect((await find('dead'))?.status).toBe('signing-in');
    await profiles.deleteProfile('acc', 'dead');
  });

  it('gives no login of an account that has its share under way, and one that was taken before a clock was set back', async () => {
    await insert('far');
    await profiles.settleSession('far', [{ signedOut: used(1), isLost: false }], NOW);
    expect(await take('first', NOW, later(1000), ['acc'])).toBeNull();
    await take('first', later(3_600_000), later(3_601_000));
    expect(await take('second', later(3_600_500), later(3_601_500))).toBeNull();
    expect(await take('second', NOW, later(1000))).toMatchObject({ id: 'far' });
    await profiles.deleteProfile('acc', 'far');
  });

  it('gives up a profile once two logins in a row have signed no page in', async () => {
    await insert('wrong');
    for (const session of [1, 2]) {
      await profiles.settleSession('wrong', [{ signedOut: used(session), isLost: false }], NOW);
      expect((await find('wrong'))?.status).toBe('signing-in');
      await take(`login ${session}`);
      const opened = { sealedState: 'state', now: NOW, expiresAt: undefined };
      await profiles.openSession({ profileId: 'wrong', loginId: `login ${session}` }, opened);
    }
    await profiles.settleSession('wrong', [{ signedOut: used(3), isLost: false }], NOW);
    expect(await find('wrong')).toMatchObject({ status: 'failed', lastError: { code: 'PROFILE_EXPIRED' } });
    await profiles.deleteProfile('acc', 'wrong');
  });

  it('renews a session that pages were signed in with as often as it expires', async () => {
    await insert('good');
    for (const session of [1, 2, 3, 4]) {
      await profiles.settleSession('good', [{ signedIn: session }], NOW);
      await profiles.settleSession('good', [{ signedOut: used(session), isLost: false }], NOW);
      await take(`login ${session}`);
      const opened = { sealedState: 'state', now: NOW, expiresAt: undefined };
      await profiles.openSession({ profileId: 'good', loginId: `login ${session}` }, opened);
    }
    expect(await find('good')).toMatchObject({ status: 'ready', logins: 5 });
    await profiles.deleteProfile('acc', 'good');
  });

  it('replaces the state of one revision only, and ends no session for pages with an earlier one', async () => {
    await insert('state');
    expect(await profiles.saveState('state', 1, 'state 2')).toBe(true);
    expect(await profiles.saveState('state', 1, 'another')).toBe(false);
    expect(await find('state')).toMatchObject({ revision: 2, sealedState: 'state 2', logins: 1 });
    await profiles.settleSession('state', [{ signedOut: used(1), isLost: false }], NOW);
    expect((await find('state'))?.status).toBe('ready');
    await profiles.settleSession('state', [{ signedOut: { session: 1, revision: 2 }, isLost: false }], NOW);
    expect(await profiles.saveState('state', 2, 'of a session that is over')).toBe(false);
    await profiles.deleteProfile('acc', 'state');
  });

  it('ends a session that only a person can renew', async () => {
    await insert('person', null);
    await profiles.settleSession('person', [{ signedOut: { session: 2, revision: 1 }, isLost: false }], NOW);
    expect((await find('person'))?.status).toBe('ready');
    await profiles.settleSession('person', [{ signedOut: used(1), isLost: false }], NOW);
    expect((await find('person'))?.status).toBe('expired');
    const change = { settings: {}, session: { sealedState: 'new', expiresAt: later(5) }, canSignIn: false };
    await profiles.updateProfile({ id: 'person', accountId: 'acc', logins: 1 }, change, NOW);
    expect(await find('person')).toMatchObject({ status: 'ready', logins: 2, expiresAt: later(5) });
  });

  it('ends the session with a change that asks for it', async () => {
    await insert('moved');
    const place = { id: 'moved', accountId: 'acc', logins: 1 };
    await profiles.updateProfile(
      place,
      { settings: { proxy: 'us' }, session: 'ended', canSignIn: true },
      NOW,
    );
    const moved = await find('moved');
    expect(moved).toMatchObject({ status: 'signing-in', proxy: 'us', loginDueAt: NOW });
    expect(moved).not.toHaveProperty('sealedState');
    expect(
      await profiles.updateProfile({ ...place, accountId: 'other' }, { settings: {}, canSignIn: true }, NOW),
    ).toBeNull();
    await profiles.deleteProfile('acc', 'moved');
  });
});
