import { describe, expect, it } from '@jest/globals';
import { groupErrors } from './group-errors.ts';

describe('groupErrors', () => {
  it('groups by code and host, the largest first', () => {
    const page = (url: string, code: string) => ({ url, error: { code, message: `${code} at ${url}` } });
    const groups = groupErrors([
      page('https://a.example/1', 'TIMEOUT'),
      page('https://b.example/1', 'BLOCKED'),
      page('https://b.example/2', 'BLOCKED'),
      page('https://a.example/2', 'BLOCKED'),
    ]);
    expect(groups.map(({ code, host, count }) => [code, host, count])).toEqual([
      ['BLOCKED', 'b.example', 2],
      ['TIMEOUT', 'a.example', 1],
      ['BLOCKED', 'a.example', 1],
    ]);
    expect(groups[0]?.message).toBe('BLOCKED at https://b.example/1');
    expect(groups[0]?.pages.map(({ url }) => url)).toEqual(['https://b.example/1', 'https://b.example/2']);
  });
});
