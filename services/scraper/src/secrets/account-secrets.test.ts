import { purposeOf } from '@gleaner/contracts';
import { createSecretBox } from '@gleaner/service-kit';
import { describe, expect, it } from '@jest/globals';
import { openSecrets } from './account-secrets.ts';

const KEY = 'k'.repeat(40);

function open(values: Readonly<Record<string, string>>, origins?: readonly string[]) {
  const box = createSecretBox(KEY);
  const sealed = Object.entries(values).map(([name, value]) => {
    const named = { name, ...(origins && { origins: [...origins] }) };
    return { ...named, sealed: box?.seal(purposeOf('acc_test', named), value) ?? '' };
  });
  return (url = 'https://shop.example/', key = KEY) =>
    openSecrets(sealed, { accountId: 'acc_test', url }, createSecretBox(key));
}

describe('openSecrets', () => {
  it('opens the secrets that it has the key of, for the origins of the page unless they name some', () => {
    expect(open({ a: 'hunter22' })().find('a')).toEqual({
      value: 'hunter22',
      origins: ['https://shop.example'],
    });
    expect(open({ a: 'hunter22' }, ['https://b.example'])().find('a')?.origins).toEqual([
      'https://b.example',
    ]);
    expect(open({ a: 'hunter22' })('https://shop.example/', 'l'.repeat(40)).find('a')).toBeUndefined();
  });

  it('hides their values, but not in the hosts of the page and of their origins', () => {
    const { redactor } = open({ a: 'shop', b: 'members' }, ['https://members.example'])();
    expect(redactor.redact('shop.example members.example shop members')).toBe(
      'shop.example members.example [redacted] [redacted]',
    );
  });
});
