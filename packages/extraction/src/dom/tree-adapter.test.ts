import { describe, expect, it } from '@jest/globals';
import { createIntern } from './tree-adapter.ts';

describe('createIntern', () => {
  it('returns every text unchanged', () => {
    const intern = createIntern();
    const long = 'x'.repeat(1000);
    for (const text of ['', 'row', 'row', 'é', long, long]) expect(intern(text)).toBe(text);
    for (let index = 0; index < 10_000; index++) expect(intern(`row-${index}`)).toBe(`row-${index}`);
  });
});
