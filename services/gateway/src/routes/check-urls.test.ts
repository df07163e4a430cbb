import { AppError } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { findUrlErrors, requireValidUrls } from './check-urls.ts';

/** Takes 2 ms for each URL, and rejects every URL with "bad" in it. */
const rules = {
  policy: {
    checkUrl(url: string): URL {
      const endMs = performance.now() + 2;
      while (performance.now() < endMs);
      if (url.includes('bad'))
        throw new AppError('INVALID_URL', { message: 'is bad', suggestion: `Allow ${url}.` });
      return new URL(url);
    },
  },
};

describe('findUrlErrors', () => {
  it('lets other work run while it checks many URLs', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const urls = Array.from({ length: 100 }, (_, index) => `https://example.com/${index}`);
    expect(await findUrlErrors(urls, rules)).toEqual([]);
    clearInterval(timer);
    expect(turns).toBeGreaterThanOrEqual(10);
  });

  it('names each bad URL by its index, and leaves other types to the schema', async () => {
    expect(await findUrlErrors(['https://bad.example/', 5, 'https://example.com/', 'bad'], rules)).toEqual([
      { path: 'urls.0', message: 'is bad', suggestion: 'Allow https://bad.example/.' },
      { path: 'urls.3', message: 'is bad', suggestion: 'Allow bad.' },
    ]);
  });

  it('leads to one error, which says what to do about the first URL', async () => {
    const errors = await findUrlErrors(['https://bad.example/', 'bad'], rules);
    expect(() => requireValidUrls(errors)).toThrow(
      expect.objectContaining({
        suggestion: 'Allow https://bad.example/.',
        details: [
          { path: 'urls.0', message: 'is bad' },
          { path: 'urls.1', message: 'is bad' },
        ],
      }),
    );
  });
});
