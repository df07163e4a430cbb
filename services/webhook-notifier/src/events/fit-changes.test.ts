import { describe, expect, it } from '@jest/globals';
import { fitChanges } from './fit-changes.ts';

const change = (length: number) => ({ previous: null, current: 'x'.repeat(length) });

describe('fitChanges', () => {
  it('keeps all that fit, in their order', () => {
    const changes = { b: change(10), a: change(10), $c: change(0) };
    expect(fitChanges(changes)).toEqual({ changes, omittedFields: [] });
    expect(Object.keys(fitChanges(changes).changes)).toEqual(['b', 'a', '$c']);
  });

  it('leaves out what is too large, and names it', () => {
    const changes = { small: change(10), huge: change(5000), other: change(20) };
    expect(fitChanges(changes, 1000)).toEqual({
      changes: { small: changes.small, other: changes.other },
      omittedFields: ['huge'],
    });
  });

  it('counts bytes, not characters', () => {
    const { omittedFields } = fitChanges({ text: { previous: null, current: '€'.repeat(300) } }, 900);
    expect(omittedFields).toEqual(['text']);
  });
});
