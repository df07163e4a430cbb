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

it('redacts fields of bodies that are named as secrets, at any depth, and a text that may hold one', () => {
  const json = { q: 'kettle', author: 'a', keyword: 'b', login: { passWord: 'p-secret', apiKey: ['k'] } };
  expect(redactOptions({ json })).toEqual({
    json: { q: 'kettle', author: 'a', keyword: 'b', login: { passWord: '[redacted]', apiKey: '[redacted]' } },
  });
  expect(redactOptions({ json: null })).toEqual({ json: null });
  expect(redactOptions({ form: { user: 'a', csrf_token: ['t'] } })).toEqual({
    form: { user: 'a', csrf_token: '[redacted]' },
  });
  expect(redactOptions({ body: 'q=kettle&author=x' })).toEqual({ body: 'q=kettle&author=x' });
  expect(redactOptions({ body: '<password>p-secret</password>' })).toEqual({ body: '[redacted]' });
});
