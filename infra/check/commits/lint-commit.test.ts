import { describe, expect, it } from '@jest/globals';
import { lintCommit } from './lint-commit.ts';

describe('lintCommit', () => {
  it.each([
    'fix(scraper): keep running when a profile folder cannot be removed',
    'feat!: answer errors with the target status',
    'docs: describe the checks\n\nThe body says why.',
    'Merge branch "main"',
  ])('accepts %p', async (message) => {
    expect(await lintCommit(message)).toEqual([]);
  });

  it.each([
    ['no type', 'keep running when a folder cannot be removed', /type/],
    ['an unknown type', 'fixed: keep running', /type must be one of/],
    ['an empty subject', 'fix(scraper): ', /subject|type/],
    ['a full stop', 'fix(scraper): keep running.', /full stop/],
    ['a subject that is too long', `fix(scraper): keep ${'running '.repeat(8)}on`, /longer than 72/],
  ])('refuses %s', async (_what, message, problem) => {
    expect(await lintCommit(message)).toContainEqual(expect.stringMatching(problem));
  });
});
