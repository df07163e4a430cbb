import { describe, expect, it } from '@jest/globals';
import { compileJsonPath } from './compile-json-path.ts';

describe('compileJsonPath', () => {
  it('compiles a path into plain data', () => {
    const path = compileJsonPath('$.offers[0, -1]..["a b"][1:3][*]');
    expect(path).toEqual({
      text: '$.offers[0, -1]..["a b"][1:3][*]',
      segments: [
        { descends: false, selectors: [{ kind: 'name', name: 'offers' }] },
        {
          descends: false,
          selectors: [
            { kind: 'index', index: 0 },
            { kind: 'index', index: -1 },
          ],
        },
        { descends: true, selectors: [{ kind: 'name', name: 'a b' }] },
        { descends: false, selectors: [{ kind: 'slice', start: 1, end: 3, step: 1 }] },
        { descends: false, selectors: [{ kind: 'wildcard' }] },
      ],
    });
    expect(structuredClone(path)).toEqual(path);
  });

  it.each([
    [
      'offers',
      "The JSON path is invalid at character 1: expected '$', found 'o'. A path starts with \"$\", as in $.offers[0].price.",
    ],
    ['', 'The JSON path is empty. A path starts with "$", as in $.offers[0].price.'],
    ['$.a[', 'The JSON path is invalid at its end: unclosed bracketed selection.'],
    ['$[?@.a == $.b.*]', 'The JSON path is invalid at character 11: non-singular query is not comparable.'],
    [
      '$[?length(@.a) > 1]',
      'The JSON path calls the function length(): functions are not supported in filters.',
    ],
    [
      '$[?@.a && match(@.b, "(a+)+")]',
      'The JSON path calls the function match(): functions are not supported in filters.',
    ],
    ['$[?nothing(@)]', "The JSON path is invalid at character 4: no such function 'nothing'."],
    [`$${'.a'.repeat(600)}`, 'The JSON path is longer than 1024 characters.'],
  ])('explains why %s is invalid', (text, problem) => {
    expect(compileJsonPath(text)).toBe(problem);
  });

  it.each([
    ['parentheses', `$[?${'('.repeat(500)}@${')'.repeat(500)}]`],
    ['filters', `$${'[?@'.repeat(250)}${']'.repeat(250)}`],
    ['brackets', '$['.repeat(500)],
    ['negations', `$[?${'!('.repeat(300)}@.a${')'.repeat(300)}]`],
  ])('compiles or rejects deeply nested %s without failing', (_, text) => {
    expect(compileJsonPath(text)).toBeDefined();
  });
});
