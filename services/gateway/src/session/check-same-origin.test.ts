import { describe, expect, it } from '@jest/globals';
import { checkNotForeign, checkSameOrigin } from './check-same-origin.ts';

const host = '127.0.0.1:8080';
const OWN = 'http://127.0.0.1:8080';
const OTHER_PORT = 'http://127.0.0.1:8090';

describe('checkSameOrigin', () => {
  it.each([
    ['GET', { 'sec-fetch-site': 'same-origin' }],
    ['GET', { 'sec-fetch-site': 'none' }],
    ['GET', {}],
    ['POST', { 'sec-fetch-site': 'same-origin', origin: OWN }],
    ['POST', { origin: OWN }],
    ['DELETE', { origin: OWN }],
  ])('accepts %s with %p', (method, headers) => {
    expect(() => checkSameOrigin({ method, headers: { host, ...headers } })).not.toThrow();
  });

  it.each([
    ['GET', { 'sec-fetch-site': 'same-site' }],
    ['GET', { 'sec-fetch-site': 'cross-site' }],
    ['POST', {}],
    ['POST', { 'sec-fetch-site': 'none' }],
    ['POST', { 'sec-fetch-site': 'same-site', origin: OTHER_PORT }],
    ['POST', { 'sec-fetch-site': 'cross-site', origin: OWN }],
    ['POST', { origin: OTHER_PORT }],
    ['POST', { origin: 'null' }],
    ['DELETE', { origin: 'https://127.0.0.1' }],
  ])('refuses %s with %p', (method, headers) => {
    expect(() => checkSameOrigin({ method, headers: { host, ...headers } })).toThrow('does not come from it');
  });
});

describe('checkNotForeign', () => {
  it('accepts clients that are not browsers, and the console', () => {
    expect(() => checkNotForeign({ method: 'POST', headers: { host } })).not.toThrow();
    expect(() => checkNotForeign({ method: 'POST', headers: { host, origin: OWN } })).not.toThrow();
  });

  it('refuses pages of other origins', () => {
    expect(() => checkNotForeign({ method: 'POST', headers: { host, origin: OTHER_PORT } })).toThrow();
    expect(() => checkNotForeign({ method: 'POST', headers: { host, 'sec-fetch-site': 'none' } })).toThrow();
  });
});
