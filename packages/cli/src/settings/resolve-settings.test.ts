import { describe, expect, it } from '@jest/globals';
import { resolveSettings, type Sources } from './resolve-settings.ts';

const NOTHING: Sources = {
  flags: {},
  env: {},
  profileName: undefined,
  profiles: { profiles: {} },
  stack: undefined,
};
const STACK = { folder: '/w/.gleaner', url: 'http://127.0.0.1:8080', apiKey: 'gl_stack' };
const PROFILES = {
  current: 'home',
  profiles: {
    home: { url: 'https://home.test', apiKey: 'gl_home' },
    work: { url: 'https://work.test/', apiKey: 'gl_work' },
  },
};

function resolve(sources: Partial<Sources>): [string, string | undefined] {
  const { url, apiKey } = resolveSettings({ ...NOTHING, ...sources });
  return [url, apiKey];
}

describe('resolveSettings', () => {
  it('takes flags before variables, the profile, and the stack nearby', () => {
    const all = {
      flags: { url: 'http://flag.test', apiKey: 'gl_flag' },
      env: { url: 'http://env.test', apiKey: 'gl_env' },
      profiles: PROFILES,
      stack: STACK,
    };
    expect(resolve(all)).toEqual(['http://flag.test', 'gl_flag']);
    expect(resolve({ ...all, flags: {} })).toEqual(['http://env.test', 'gl_env']);
    expect(resolve({ ...all, flags: {}, env: {} })).toEqual(['https://home.test', 'gl_home']);
    expect(resolve({ stack: STACK })).toEqual(['http://127.0.0.1:8080', 'gl_stack']);
    expect(resolve({})).toEqual(['http://127.0.0.1:8080', undefined]);
  });

  it('takes a profile that is named outright before variables', () => {
    const env = { url: 'http://env.test', apiKey: 'gl_env' };
    expect(resolve({ env, profiles: PROFILES, profileName: 'work' })).toEqual([
      'https://work.test/',
      'gl_work',
    ]);
  });

  it('sends a stored key only to the address that it was stored with', () => {
    const flags = { url: 'https://elsewhere.test' };
    expect(resolve({ flags, profiles: PROFILES, stack: STACK })).toEqual([
      'https://elsewhere.test',
      undefined,
    ]);
    expect(resolve({ flags: { url: 'http://127.0.0.1:8080/' }, profiles: PROFILES, stack: STACK })).toEqual([
      'http://127.0.0.1:8080/',
      'gl_stack',
    ]);
    expect(resolve({ env: { url: 'https://elsewhere.test' }, stack: STACK })[1]).toBeUndefined();
  });

  it('does not send the key of a stack that is stopped to what listens there now', () => {
    expect(resolve({ stack: { ...STACK, url: undefined } })[1]).toBeUndefined();
  });

  it('names the known profiles when no profile has that name', () => {
    expect(() => resolve({ profiles: PROFILES, profileName: 'nope' })).toThrow('There is no profile nope.');
  });
});
