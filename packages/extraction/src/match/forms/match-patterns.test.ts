import { describe, expect, it } from '@jest/globals';
import { compileSelectors, extract, parseDocument } from '../../index.ts';
import { matchPatterns } from './input-text.ts';

const baseUrl = 'https://shop.example/';

describe('matchPatterns', () => {
  it('matches whole values, all of them, and ignores patterns that are not valid regular expressions', () => {
    const checks = [
      { pattern: 'a|b', values: ['a', 'b'] },
      { pattern: 'a|b', values: ['a', 'ab'] },
      { pattern: '[', values: ['x'] },
      { pattern: 'a)|(b', values: ['x'] },
    ];
    expect(matchPatterns(checks)).toEqual([true, false, true, true]);
  });

  it('stops patterns that take too long, and matches none for selectors that do not need them', () => {
    const page = parseDocument(`<input pattern="(a+)+" value="${'a'.repeat(60)}!">`);
    const read = (selector: string) =>
      extract(page, compileSelectors({ field: `${selector}::attr(pattern)` }), { baseUrl });
    expect(() => read('input:valid')).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED_CONTENT', message: expect.stringContaining('`pattern`') }),
    );
    expect(read('input:required, input:enabled').data).toEqual({ field: '(a+)+' });
  });
});
