import { describe, expect, it } from '@jest/globals';
import { matchesQuery } from './matches-query.ts';

describe('matchesQuery', () => {
  it.each([
    ['Go to Jobs', 'jo', true],
    ['Go to Jobs', 'go jobs', true],
    ['Go to Jobs', '', true],
    ['Go to Jobs', 'obs', false],
    ['Go to Jobs', 'go keys', false],
  ])('%p and %p: %p', (text, query, isMatch) => {
    expect(matchesQuery(text, query)).toBe(isMatch);
  });
});
