import { describe, expect, it } from '@jest/globals';
import { findCrowdedComments } from './find-crowded-comments.ts';

describe('findCrowdedComments', () => {
  it.each([
    [
      'two clauses',
      '/** Returns the keys of pages that a job has, and which of them wait. */\nlet a;',
      'that … which',
    ],
    [
      'clauses on two lines',
      '/**\n * Returns what pages have\n * that are sent.\n */\nlet a;',
      'what … that',
    ],
    ['clauses in brackets', '/** Pages (those of a job, whose host waits). */\nlet a;', 'those … whose'],
    ['a Python docstring', 'def a():\n    """Returns those that wait."""\n', 'those … that'],
  ])('finds %s', (_what, source, word) => {
    const file = source.startsWith('def') ? 'a.py' : 'a.ts';
    expect(findCrowdedComments(file, source).map((found) => found.word)).toEqual([word]);
  });

  it.each([
    ['one clause', '/** Returns the keys that a job has. */\nlet a;'],
    [
      'a clause after the fourteenth word',
      '/** Returns the keys that a job has: one two three four five six seven that follow. */\nlet a;',
    ],
    ['quoted code', '/** Returns `that` and `which`. */\nlet a;'],
    ['plain comments', '// Those that wait.\nlet a;'],
    ['longer words', '/** Thatched roofs, whatsoever they cost, which leak. */\nlet a;'],
  ])('accepts %s', (_what, source) => {
    expect(findCrowdedComments('a.ts', source)).toEqual([]);
  });

  it('names the place of the second clause, and what to write', () => {
    expect(findCrowdedComments('a.ts', 'let a;\n/** Those that wait. */\nlet b;\n')).toEqual([
      {
        file: 'a.ts',
        line: 2,
        column: 11,
        word: 'Those … that',
        instead: expect.stringContaining('a noun instead of a clause'),
      },
    ]);
  });
});
