import { describe, expect, it } from '@jest/globals';
import { codeIn } from './code-in.ts';

describe('codeIn', () => {
  it.each([
    ['#code=abc-1', 'abc-1'],
    ['#/code=abc', 'abc'],
    ['#/jobs/job_1', undefined],
    ['', undefined],
  ])('reads %p as %p', (hash, code) => {
    expect(codeIn(hash)).toBe(code);
  });
});
