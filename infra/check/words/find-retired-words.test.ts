import { describe, expect, it } from '@jest/globals';
import { findRetiredWords } from './find-retired-words.ts';

describe('findRetiredWords', () => {
  it.each([
    ['a doc comment', '/** Returns the job that nobody took. */\nlet a;', 'nobody'],
    ['a line comment', 'let a; // it starts anew', 'anew'],
    ['a comment of several lines', '// a page in\n// place of a job\nlet a;', 'in place of'],
    [
      'a block comment of several lines',
      '/**\n * Sends a page in\n * place of a job.\n */\nlet a;',
      'in place of',
    ],
    ['a string', "const text = 'The id is no ULID.';", 'is no'],
    ['a template', `const text = \`The \${what} is no \${kind}.\`;`, 'is no'],
    ['a string after an escape', "const text = 'Done.\\nNobody listens.';", 'Nobody'],
    ['British spelling', '// the colour of a serialised page\nlet a;', 'colour', 'serialised'],
    ['the first word of a doc comment', '/** What a page costs. */\nlet a;', 'What'],
    ['the first word of a long doc comment', '/**\n * Whether a page is free.\n */\nlet a;', 'Whether'],
  ])('finds a retired word in %s', (_where, source, ...words) => {
    expect(findRetiredWords('a.ts', source).map(({ word }) => word)).toEqual(words);
  });

  it.each([
    ['identifiers and keys', "const nobody = { 'meanwhile': somebody };"],
    ['quoted code', '/** Returns `nobody`. */\nlet a;'],
    ['quoted pages', 'const page = `<p>Nobody is here</p>`;'],
    ['quoted programs', "const code = 'const faults = () => 1';"],
    ['a question word later in a doc comment', '/** Returns what a page costs. */\nlet a;'],
    ['a question word first in a plain comment', '// Where it stops.\nlet a;'],
    ['"there is no …"', '// There is no page, and it is no longer needed.\nlet a;'],
  ])('accepts %s', (_what, source) => {
    expect(findRetiredWords('a.ts', source)).toEqual([]);
  });

  it('accepts a technical sense in its folders', () => {
    const source = '// every fault is injected\nlet a;';
    expect(findRetiredWords('infra/chaos/faults.ts', source)).toEqual([]);
    expect(findRetiredWords('infra/stack/start.ts', source)).toHaveLength(1);
  });

  it('names line, column and replacement', () => {
    const source = 'let a;\n  // a page, in\n  //   place of a job\n';
    expect(findRetiredWords('a.ts', source)).toEqual([
      { file: 'a.ts', line: 2, column: 14, word: 'in place of', instead: '"instead of"' },
    ]);
  });

  it('reads markdown without its code', () => {
    const source = '# Jobs\n\nA job runs\nmeanwhile.\n\n```sh\necho nobody\n```\n\nUse `anew` here.\n';
    expect(findRetiredWords('a.md', source)).toMatchObject([{ line: 4, column: 1, word: 'meanwhile' }]);
  });

  it.each([
    ['a docstring', 'def a():\n    """Returns the job\n    that nobody took."""\n', 'nobody'],
    ['the first word of a docstring', '"""What a page costs."""\n', 'What'],
    ['a comment', 'a = 1  # it starts anew\n', 'anew'],
    ['a message', 'raise E(f"The id is no ULID: {a}.")\n', 'is no'],
  ])('finds a retired word of Python in %s', (_where, source, word) => {
    expect(findRetiredWords('a.py', source).map((found) => found.word)).toEqual([word]);
  });

  it('leaves names, keys and code of Python alone', () => {
    const source = 'nobody = {"anew": \'meanwhile\'}\n"""Returns `nobody`."""\nprint("a # anew")\n';
    expect(findRetiredWords('a.py', source)).toMatchObject([{ word: 'anew', line: 3 }]);
    expect(findRetiredWords('a.py', source.replace('a # anew', 'a'))).toEqual([]);
  });

  it('refuses a file that cannot be parsed', () => {
    expect(() => findRetiredWords('a.ts', 'const = ;')).toThrow(/^a\.ts: /);
  });
});
