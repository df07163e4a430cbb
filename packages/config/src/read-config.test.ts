import { describe, expect, it } from '@jest/globals';
import { readConfig } from './read-config.ts';
import { defineConfig, setting } from './setting.ts';
import { EXIT_CODES, StartupError } from './startup-error.ts';

const TABLE = defineConfig({
  PORT: { type: setting.port, default: 8080, meaning: 'A port.' },
  HOSTS: { type: setting.list, default: [], meaning: 'Hosts.' },
  LIMIT: { type: setting.integer({ minimum: 1, maximum: 10 }), meaning: 'Required.' },
  API_KEY: {
    type: setting.url({ protocols: ['https:'], example: 'https://key@host' }),
    default: undefined,
    meaning: 'Optional and secret.',
    isSecret: true,
  },
});

describe('readConfig', () => {
  it('reads the variables that are set, trimmed, and takes defaults for the rest', () => {
    expect(readConfig(TABLE, { LIMIT: ' 3 ', HOSTS: 'a,b' })).toEqual({
      PORT: 8080,
      HOSTS: ['a', 'b'],
      LIMIT: 3,
      API_KEY: undefined,
    });
  });

  it('gives each value the type of its setting', () => {
    const config = readConfig(TABLE, { LIMIT: '3' });
    const port: number = config.PORT;
    const hosts: readonly string[] = config.HOSTS;
    const key: string | undefined = config.API_KEY;
    expect([port, hosts, key]).toEqual([8080, [], undefined]);
  });

  it('treats an empty variable as not set', () => {
    expect(readConfig(TABLE, { LIMIT: '3', PORT: '', API_KEY: ' ' })).toMatchObject({ PORT: 8080 });
  });

  it('lists every error at once, with value, expectation and example', () => {
    const { message, exitCode } = errorOf({ PORT: '99999' });
    expect(message).toContain('2 settings are wrong');
    expect(message).toContain('PORT is "99999": expected a port from 1 to 65535');
    expect(message).toContain('for example PORT=8080');
    expect(message).toContain('LIMIT is not set: expected a whole number from 1 to 10; for example LIMIT=1');
    expect(exitCode).toBe(EXIT_CODES.misconfigured);
  });

  it('never repeats the value of a secret', () => {
    const { message } = errorOf({ LIMIT: '3', API_KEY: 'hunter2' });
    expect(message).toContain('API_KEY is wrong (its value is a secret)');
    expect(message).not.toContain('hunter2');
  });

  it('never repeats the user name and password of a URL that was not marked as secret', () => {
    const table = defineConfig({
      SITE: { type: setting.url({ protocols: ['https:'], example: 'https://a' }), meaning: 'A site.' },
    });
    expect(() => readConfig(table, { SITE: 'http://user:hunter2@host/' })).toThrow(/^(?!.*hunter2)/s);
  });

  it('shows control characters escaped and cuts long values', () => {
    const { message } = errorOf({ LIMIT: `\u001b[31m${'9'.repeat(500)}` });
    expect(message).toContain(String.raw`LIMIT is "\u001b[31m999`);
    expect(message.length).toBeLessThan(400);
  });

  it('suggests a variable that resembles the missing one', () => {
    expect(errorOf({ LIMITS: '3' }).message).toContain('LIMITS is set: did you mean LIMIT?');
  });
});

function errorOf(env: Record<string, string>): StartupError {
  try {
    readConfig(TABLE, env);
  } catch (error) {
    if (error instanceof StartupError) return error;
  }
  throw new Error('The environment was accepted.');
}
