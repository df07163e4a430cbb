import { describe, expect, it } from '@jest/globals';
import { describeChrome } from './describe-chrome.ts';

describe('describeChrome', () => {
  // Recorded from these versions.
  it.each([
    [116, 'Chromium 116, Not)A;Brand 24, Google Chrome 116'],
    [124, 'Chromium 124, Google Chrome 124, Not-A.Brand 99'],
    [131, 'Google Chrome 131, Chromium 131, Not_A Brand 24'],
    [133, 'Not(A:Brand 99, Google Chrome 133, Chromium 133'],
    [151, 'Not=A?Brand 99, Google Chrome 151, Chromium 151'],
  ])('describes the brands of version %i as Chrome does', (major, brands) => {
    const named = describeChrome(major).brands.map(({ brand, version }) => `${brand} ${version}`);
    expect(named.join(', ')).toBe(brands);
  });

  it.each([
    ['linux', 'Linux', 'X11; Linux x86_64'],
    ['darwin', 'macOS', 'Macintosh; Intel Mac OS X 10_15_7'],
    ['win32', 'Windows', 'Windows NT 10.0; Win64; x64'],
    ['freebsd', 'Linux', 'X11; Linux x86_64'],
  ] as const)('claims on %s to run on %s', (node, platform, token) => {
    const chrome = describeChrome(151, node);
    expect(chrome.platform).toBe(platform);
    expect(chrome.userAgent).toContain(`(${token})`);
  });
});
