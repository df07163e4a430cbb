import { describe, expect, it } from '@jest/globals';
import { setting } from './setting.ts';

const decimal = setting.number({ minimum: 0, maximum: 1 });
const timeoutMs = setting.durationMs({ minimum: 100, maximum: 60_000 });
const level = setting.oneOf(['low', 'high']);
const mongodb = setting.url({ protocols: ['mongodb:', 'mongodb+srv:'], example: 'mongodb://127.0.0.1/x' });

describe('setting types', () => {
  it.each([
    [setting.text, 'a b', 'a b'],
    [setting.port, '0', 0],
    [setting.port, '65535', 65_535],
    [setting.boolean, 'TRUE', true],
    [setting.boolean, '0', false],
    [setting.list, ' a, b ,,c,', ['a', 'b', 'c']],
    [setting.integer({ minimum: -5, maximum: 5 }), '-5', -5],
    [decimal, '0.25', 0.25],
    [timeoutMs, '100', 100],
    [level, 'high', 'high'],
    [setting.someOf(['http', 'browser']), 'browser, http', ['http', 'browser']],
    [mongodb, 'mongodb://127.0.0.1:27017/x', 'mongodb://127.0.0.1:27017/x'],
    [mongodb, 'mongodb://u:p%40@a:1,b:2,c/x?replicaSet=rs', 'mongodb://u:p%40@a:1,b:2,c/x?replicaSet=rs'],
    [mongodb, 'mongodb+srv://cluster.example.org/x', 'mongodb+srv://cluster.example.org/x'],
  ])('reads an accepted text (%#: %s, %j)', (type, text, value) => {
    expect(type.parse(text)).toEqual(value);
  });

  it.each([
    [setting.port, '65536'],
    [setting.port, '-1'],
    [setting.port, '80.5'],
    [setting.port, '0x50'],
    [setting.port, '1e3'],
    [setting.boolean, 'yes'],
    [setting.integer({ minimum: 0, maximum: 9 }), '10'],
    [decimal, '1.01'],
    [decimal, 'NaN'],
    [decimal, 'Infinity'],
    [timeoutMs, '30s'],
    [timeoutMs, '99'],
    [level, 'HIGH'],
    [mongodb, 'http://127.0.0.1/x'],
    [mongodb, '127.0.0.1:27017'],
    [mongodb, 'mongodb://'],
    [mongodb, 'mongodb://user:pass/word@host/x'],
    [setting.someOf(['http', 'browser']), 'http,ftp'],
    [setting.someOf(['http', 'browser']), ','],
  ])('rejects any other text (%#: %s, %j)', (type, text) => {
    expect(type.parse(text)).toBeUndefined();
  });

  it.each(
    Object.entries({
      ...setting,
      integer: setting.integer({ minimum: 3, maximum: 9 }),
      number: decimal,
      durationMs: timeoutMs,
      oneOf: level,
      someOf: setting.someOf(['http', 'browser']),
      url: mongodb,
    }),
  )('has an example that it accepts (%s)', (_name, type) => {
    expect(type.parse(type.example)).toBeDefined();
  });
});
