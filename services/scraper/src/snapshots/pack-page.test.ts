import { describe, expect, it } from '@jest/globals';
import { keepIfFits, packPage } from './pack-page.ts';

const PAGE = { kind: 'html', baseUrl: 'https://example.com/' } as const;

describe('keepIfFits', () => {
  it('keeps a page beside the values of its reply', async () => {
    const page = await packPage('<p>x'.repeat(100_000), PAGE);
    expect(page.source.length).toBeLessThan(1000);
    expect(keepIfFits(page, { dataJson: '{}' })).toEqual({ snapshot: page, warnings: [] });
  });

  it('returns a warning for a page that is too large', () => {
    const page = { ...PAGE, source: 'x'.repeat(6 * 1024 * 1024) };
    expect(keepIfFits(page, {})).toEqual({
      warnings: [expect.objectContaining({ code: 'SNAPSHOT_NOT_KEPT' })],
    });
  });

  it('returns a warning where the rest of the reply is too large', () => {
    const screenshot = 'x'.repeat(4 * 1024 * 1024);
    expect(keepIfFits({ ...PAGE, source: 'x' }, { screenshot })).not.toHaveProperty('snapshot');
    expect(keepIfFits({ ...PAGE, source: 'x' }, { capturedJson: screenshot })).not.toHaveProperty('snapshot');
  });

  it('returns nothing without a page', () => {
    expect(keepIfFits(undefined, {})).toEqual({ warnings: [] });
  });
});
