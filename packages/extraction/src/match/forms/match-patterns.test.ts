import { describe, expect, it } from '@jest/globals';
import { compileSelectors, extract, parseDocument } from '../../index.ts';
import { matchPatterns } from './match-patterns.ts';

const baseUrl = 'https://shop.example/';

describe('patterns', () => {
  it('hold for whole values, all of them, and hold nothing where they are no regular expression', () => {
    const checks = [
      { pattern: 'a|b', values: ['a', 'b'] },
      { pattern: 'a|b', values: ['a', 'ab'] },
      { pattern: '[', values: ['x'] },
      { pattern: 'a)|(b', values: ['x'] },
    ];
    expect(matchPatterns(checks)).toEqual([true, false, true, true]);
  });

  it('are stopped when they take for ever, and are not matched for selectors that do not ask', () => {
    const page = parseDocument(`<input pattern="(a+)+" value="${'a'.repeat(60)}!">`);
    const read = (selector: string) =>
      extract(page, compileSelectors({ field: `${selector}::attr(pattern)` }), { baseUrl });
    expect(() => read('input:valid')).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED_CONTENT', message: expect.stringContaining('`pattern`') }),
    );
    expect(read('input:required, input:enabled').data).toEqual({ field: '(a+)+' });
  });
});
