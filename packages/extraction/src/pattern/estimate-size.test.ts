import { describe, expect, it } from '@jest/globals';
import { estimateSize } from './estimate-size.ts';

describe('estimateSize', () => {
  it.each([
    ['abc', 3],
    ['a{10}', 10],
    ['(?:ab){10}', 50],
    ['((a{10}){10}){10}', 1110],
    ['[a-z\\]{9}]{3}', 3],
    ['[]a]{5}', 5],
    ['[[:alpha:]]{4}', 4],
    ['\\p{Greek}{7}', 7],
    ['\\Q{9}\\E', 7],
    ['a{2,5}', 5],
    ['a{,5}', 5],
    ['a\\{5}', 4],
    ['[[[[', 1],
    [')))', 3],
    ['', 0],
  ])('takes %j for %i instructions', (pattern, size) => {
    expect(estimateSize(pattern)).toBe(size);
  });
});
