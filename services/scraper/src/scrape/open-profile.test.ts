import { LIMITS, purposeOfLogin } from '@gleaner/contracts';
import { createSecretBox } from '@gleaner/service-kit';
import { expect, it } from '@jest/globals';
import { openProfile } from './open-profile.ts';

const URL_OF_PAGE = 'https://shop.example/account';

it('a login that leaves more than a profile keeps fails with the sizes', () => {
  const box = createSecretBox('k'.repeat(40));
  const actions = box?.seal(purposeOfLogin('acc_test', 'prof_1'), '[]') ?? '';
  const profile = { id: 'prof_1', session: 1, revision: 0, isSaved: true, actions };
  const opened = openProfile(
    { profile, accountId: 'acc_test', request: { url: URL_OF_PAGE } },
    box,
    undefined,
  );
  const cookies = Array.from({ length: 300 }, (_none, index) => ({
    name: `c${index}`,
    value: 'v'.repeat(4000),
    domain: 'shop.example',
    path: '/',
  }));
  expect(() => opened?.leave({ cookies, origins: [] }, URL_OF_PAGE)).toThrow(
    `a profile keeps at most ${LIMITS.maxProfileStateBytes}`,
  );
  expect(opened?.leave({ cookies: cookies.slice(0, 1), origins: [] }, URL_OF_PAGE)).toMatchObject({
    revision: 0,
  });
});
