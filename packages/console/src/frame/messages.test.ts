import { describe, expect, it } from '@jest/globals';
import { MAX_OUTLINES, ROOT, readFrameMessage } from './messages.ts';

const outline = { node: 3, name: 'p.price', text: '£9', hasChildren: false };

describe('readFrameMessage', () => {
  it('returns messages without what else they hold', () => {
    expect(readFrameMessage({ type: 'pick', path: [{ ...outline, html: '<b>' }], more: 1 })).toEqual({
      type: 'pick',
      path: [outline],
    });
    const children = { type: 'children', of: ROOT, total: 1, elements: [outline] };
    expect(readFrameMessage(children)).toEqual(children);
  });

  it.each([
    undefined,
    null,
    'pick',
    [],
    { type: 'pick' },
    { type: 'pick', path: [] },
    { type: 'pick', path: {} },
    { type: 'pick', path: [outline, undefined] },
    { type: 'pick', path: [{ ...outline, node: '3' }] },
    { type: 'pick', path: [{ ...outline, node: -1 }] },
    { type: 'pick', path: [{ ...outline, node: 1.5 }] },
    { type: 'pick', path: [{ ...outline, node: 1e12 }] },
    { type: 'pick', path: [{ ...outline, text: 'x'.repeat(1000) }] },
    { type: 'pick', path: [{ ...outline, name: { toString: () => 'p' } }] },
    { type: 'pick', path: Array(MAX_OUTLINES + 1).fill(outline) },
    { type: 'children', of: -2, total: 1, elements: [] },
    { type: 'children', of: 1, total: Number.NaN, elements: [] },
    { type: 'navigate', to: 'https://example.com/' },
  ])('rejects %p', (data) => {
    expect(readFrameMessage(data)).toBeUndefined();
  });
});
