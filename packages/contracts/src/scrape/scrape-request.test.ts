import { describe, expect, it } from '@jest/globals';
import { engineFor, timeoutMsOf } from './scrape-request.ts';

describe('engineFor', () => {
  it.each([
    [{}, 'http'],
    [{ antiBot: true }, 'http'],
    [{ freshContext: true }, 'http'],
    [{ render: true }, 'browser'],
    [{ screenshot: true }, 'browser'],
    [{ actions: [{ click: 'a' }] }, 'browser'],
    [{ actions: [] }, 'http'],
    [{ waitFor: 0 }, 'browser'],
    [{ waitFor: '#late' }, 'browser'],
    [{ render: false, waitFor: 5 }, 'browser'],
  ])('sends %j to the %s engine', (options, engine) => {
    expect(engineFor(options)).toBe(engine);
  });
});

describe('timeoutMsOf', () => {
  it('gives slow options more time, and uses a given timeout', () => {
    expect(timeoutMsOf({})).toBe(30_000);
    expect(timeoutMsOf({ antiBot: true })).toBe(60_000);
    expect(timeoutMsOf({ waitFor: 10 })).toBe(60_000);
    expect(timeoutMsOf({ render: true, timeout: 1500 })).toBe(1500);
  });
});
