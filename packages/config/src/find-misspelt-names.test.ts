import { describe, expect, it } from '@jest/globals';
import { findMisspeltNames } from './find-misspelt-names.ts';
import { type ConfigTable, setting } from './setting.ts';

const NAMES = ['AMQP_URL', 'MONGODB_URI', 'LOG_LEVEL', 'METRICS_HOST', 'METRICS_PORT', 'SHUTDOWN_TIMEOUT_MS'];
const TABLE: ConfigTable = Object.fromEntries(
  NAMES.map((name) => [name, { type: setting.text, default: undefined, meaning: 'One.' }]),
);

describe('findMisspeltNames', () => {
  it.each([
    ['AMQP_URI', 'AMQP_URL'],
    ['amqp_url', 'AMQP_URL'],
    ['MONGODB_URL', 'MONGODB_URI'],
    ['MONGO_URL', 'MONGODB_URI'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['METRIC_PORT', 'METRICS_PORT'],
    ['SHUTDOWN_TIMEOUT', 'SHUTDOWN_TIMEOUT_MS'],
  ])('takes %s for %s', (name, meant) => {
    expect(findMisspeltNames(TABLE, { [name]: 'x' })).toEqual([{ name, meant }]);
  });

  it('leaves the usual variables of a system alone', () => {
    const usual = ['PATH', 'HOME', 'HOSTNAME', 'LANG', 'LOGNAME', 'NODE_ENV', 'PWD', 'SHELL', 'TERM', 'USER'];
    expect(findMisspeltNames(TABLE, Object.fromEntries(usual.map((name) => [name, 'x'])))).toEqual([]);
  });

  it('says nothing about a variable like one that is set itself', () => {
    expect(findMisspeltNames(TABLE, { AMQP_URI: 'x', AMQP_URL: 'y' })).toEqual([]);
  });

  it('says nothing about what is known or empty', () => {
    expect(findMisspeltNames(TABLE, { LOG_LEVEL: 'info', AMQP_URI: '' })).toEqual([]);
  });
});
