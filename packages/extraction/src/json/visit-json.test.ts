import { describe, expect, it } from '@jest/globals';
import { Budget } from '../budget.ts';
import { type JsonValue, spendJson } from './visit-json.ts';

describe('spendJson', () => {
  it('counts about as many bytes as the JSON of the value has', () => {
    const value: JsonValue = { name: 'é', list: [1, true, null, {}], empty: '' };
    const size = Buffer.byteLength(JSON.stringify(value));
    expect(() => spendJson(value, new Budget({ maxOutputBytes: 2 * size }))).not.toThrow();
    expect(() => spendJson(value, new Budget({ maxOutputBytes: size - 1 }))).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED_CONTENT' }),
    );
  });

  it('counts values that are shared each time', () => {
    const long = 'a'.repeat(1000);
    const list = Array.from({ length: 100 }, () => [long]);
    expect(() => spendJson(list, new Budget({ maxOutputBytes: 50_000 }))).toThrow();
  });

  it('does not recurse over the depth of the value', () => {
    const deep: JsonValue = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
    expect(() => spendJson(deep, new Budget())).not.toThrow();
  });
});
