import { describe, expect, it } from '@jest/globals';
import { createProfileStore, type ProfileStore } from '../src/profiles/profile-store.ts';
import { BACKENDS } from './backends.ts';
import { useBackend } from './use-backend.ts';

const NOW = new Date(1_000_000);
const later = (ms: number) => new Date(NOW.getTime() + ms);

describe.each(BACKENDS)('profiles on $name', ({ start }) => {
  let profiles: ProfileStore;
  useBackend(start, (connected) => {
    profiles = createProfileStore(connected);
  });

  /** Stores a profile that steps can sign in, with a session. */
  async function insert(id: string, sealedActions: string | null = 'actions'): Promise<void> {
    const session = { sealedState: 'state 1', expiresAt: undefined };
    await profiles.insertProfile(
      { id, accountId: 'acc', settings: { name: id, sealedActions }, session },
      NOW,
    );
  }

  const find = (id: string) => profiles.findProfile('acc', id);

  it('begins one login for each session that expires, however many ask', async () => {
    await insert('one');
    const asked = await Promise.all(Array.from({ length: 20 }, () => profiles.wantLogin('one', 1, NOW)));
    expect(asked.filter(Boolean)).toHaveLength(1);
    const taken = await Promise.all(
      ['a', 'b', 'c'].map((loginId) => profiles.takeLogin(loginId, NOW, later(60_000))),
    );
    const [login] = taken.filter((each) => each !== null);
    expect(taken.filter((each) => each !== null)).toHaveLength(1);
    const opened = { sealedState: 'state 2', now: NOW, expiresAt: undefined };
    const { loginId = '' } = login ?? {};
    expect(await profiles.openSession({ profileId: 'one', loginId }, opened)).toBe(true);
    expect(await find('one')).toMatchObject({ status: 'ready', logins: 2, sealedState: 'state 2' });
    expect(await profiles.wantLogin('one', 1, NOW)).toBe(false);
    expect((await find('one'))?.status).toBe('ready');
  });

  it('gives a login to another process once its taker has died', async () => {
    await insert('dead');
    await profiles.wantLogin('dead', 1, NOW);
    await profiles.takeLogin('first', NOW, later(1000));
    expect(await profiles.takeLogin('second', later(999), later(5000))).toBeNull();
    expect(await profiles.takeLogin('second', later(1000), later(5000))).toMatchObject({ loginTries: 2 });
    const opened = { sealedState: 'late', now: NOW, expiresAt: undefined };
    expect(await profiles.openSession({ profileId: 'dead', loginId: 'first' }, opened)).toBe(false);
    const failure = { code: 'ACTION_FAILED', message: 'The form has changed.' } as const;
    expect(await profiles.failLogin({ profileId: 'dead', loginId: 'second' }, failure, NOW)).toBe(true);
    expect(await find('dead')).toMatchObject({ status: 'failed', lastError: failure });
    expect(await profiles.wantLogin('dead', 1, NOW)).toBe(false);
    expect(await profiles.wantLogin('dead', undefined, NOW)).toBe(true);
    await profiles.deleteProfile('acc', 'dead');
  });

  it('replaces the state of one revision only', async () => {
    await insert('state');
    expect(await profiles.saveState('state', 1, 'state 2')).toBe(true);
    expect(await profiles.saveState('state', 1, 'another')).toBe(false);
    expect(await find('state')).toMatchObject({ revision: 2, sealedState: 'state 2', logins: 1 });
    await profiles.wantLogin('state', 1, NOW);
    expect(await profiles.saveState('state', 2, 'of a session that is over')).toBe(false);
    await profiles.deleteProfile('acc', 'state');
  });

  it('ends a session that only a person can renew', async () => {
    await insert('person', null);
    expect(await profiles.wantLogin('person', 1, NOW)).toBe(false);
    expect(await profiles.expireSession('person', 2, NOW)).toBe(false);
    expect(await profiles.expireSession('person', 1, NOW)).toBe(true);
    const change = { settings: {}, session: { sealedState: 'new', expiresAt: later(5) }, canSignIn: false };
    await profiles.updateProfile({ id: 'person', accountId: 'acc' }, change, NOW);
    expect(await find('person')).toMatchObject({ status: 'ready', logins: 2, expiresAt: later(5) });
  });

  it('ends the session with a change that asks for it', async () => {
    await insert('moved');
    const place = { id: 'moved', accountId: 'acc' };
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
