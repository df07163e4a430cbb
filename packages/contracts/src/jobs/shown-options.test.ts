import { expect, it } from '@jest/globals';
import { redactOptions } from './shown-options.ts';

it('shows options as they were given, without cookies and credentials', () => {
  const options = {
    selectors: { title: 'h1' },
    timeout: 5000,
    cookies: [{ name: 'session', value: 'c-secret', path: '/' }],
    headers: {
      'Accept-Language': 'de',
      AUTHORIZATION: 'Bearer h-secret',
      Cookie: 'a=h-secret',
      'x-api-key': 'h-secret',
      'X-Access-Token': 'h-secret',
    },
  };
  const shown = redactOptions(options);
  expect(shown).toEqual({
    selectors: { title: 'h1' },
    timeout: 5000,
    cookies: [{ name: 'session', value: '[redacted]', path: '/' }],
    headers: {
      'Accept-Language': 'de',
      AUTHORIZATION: '[redacted]',
      Cookie: '[redacted]',
      'x-api-key': '[redacted]',
      'X-Access-Token': '[redacted]',
    },
  });
  expect(options.cookies[0]?.value).toBe('c-secret');
});

it('keeps a header named __proto__ a header', () => {
  const headers = JSON.parse('{"__proto__":"a"}');
  expect(Object.keys(redactOptions({ headers }).headers ?? {})).toEqual(['__proto__']);
});
