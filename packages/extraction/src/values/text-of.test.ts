import { describe, expect, it } from '@jest/globals';
import { collapse } from './text-of.ts';

describe('collapse', () => {
  it('replaces each run of white space by one space and trims the ends', () => {
    expect(collapse(' \t\na \u00A0\r\nb\f')).toBe('a b');
    expect(collapse(' \n ')).toBe('');
    expect(collapse('')).toBe('');
  });

  it('does the same for long texts, wherever they have white space', () => {
    for (const text of [`${'ab \n'.repeat(50_000)}x`, ` ${' '.repeat(140_000)}x${'\n'.repeat(70_000)}y `]) {
      expect(collapse(text)).toBe(text.replace(/\s+/g, ' ').trim());
    }
  });
});
