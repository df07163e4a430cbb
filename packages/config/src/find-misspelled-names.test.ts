import { describe, expect, it } from '@jest/globals';
import { findMisspelledNames } from './read-config.ts';
import { type ConfigTable, setting } from './setting.ts';

const NAMES = ['AMQP_URL', 'MONGODB_URI', 'LOG_LEVEL', 'METRICS_HOST', 'METRICS_PORT', 'SHUTDOWN_TIMEOUT_MS'];
const TABLE: ConfigTable = Object.fromEntries(
  NAMES.map((name) => [name, { type: setting.text, default: undefined, meaning: 'One.' }]),
);

describe('findMisspelledNames', () => {
  it.each([
    ['AMQP_URI', 'AMQP_URL'],
    ['amqp_url', 'AMQP_URL'],
    ['MONGODB_URL', 'MONGODB_URI'],
    ['MONGO_URL', 'MONGODB_URI'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['METRIC_PORT', 'METRICS_PORT'],
    ['SHUTDOWN_TIMEOUT', 'SHUTDOWN_TIMEOUT_MS'],
  ])('takes %s for %s', (name, meant) => {
    expect(findMisspelledNames(TABLE, { [name]: 'x' })).toEqual([{ name, meant }]);
  });

  it('ignores the usual variables of a system', () => {
    const usual = ['PATH', 'HOME', 'HOSTNAME', 'LANG', 'LOGNAME', 'NODE_ENV', 'PWD', 'SHELL', 'TERM', 'USER'];
    expect(findMisspelledNames(TABLE, Object.fromEntries(usual.map((name) => [name, 'x'])))).toEqual([]);
  });

  it.each([
    ['RETRY_DELAY_MS', 'RUN_RETRY_DELAY_MS'],
    ['RUN_RETRY_DELAY_MS', 'RETRY_DELAY_MS'],
  ])('ignores %s of another service beside %s', (name, own) => {
    const table: ConfigTable = { [own]: { type: setting.text, default: undefined, meaning: 'One.' } };
    expect(findMisspelledNames(table, { [name]: 'x' })).toEqual([]);
  });

  it('ignores a variable that resembles one that is set itself', () => {
    expect(findMisspelledNames(TABLE, { AMQP_URI: 'x', AMQP_URL: 'y' })).toEqual([]);
  });

  it('ignores known and empty variables', () => {
    expect(findMisspelledNames(TABLE, { LOG_LEVEL: 'info', AMQP_URI: '' })).toEqual([]);
  });
});
