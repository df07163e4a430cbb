import { describe, expect, it } from '@jest/globals';
import { stagesOf } from './stages-of.ts';

describe('stagesOf', () => {
  it('puts stages in the order in which they usually come, with their shares', () => {
    expect(stagesOf({ firstByte: 6, extract: 1, dns: 1 })).toEqual([
      { name: 'dns', label: 'DNS', ms: 1, share: 0.125 },
      { name: 'firstByte', label: 'first byte', ms: 6, share: 0.75 },
      { name: 'extract', label: 'extract', ms: 1, share: 0.125 },
    ]);
  });

  it('gives no share of nothing', () => {
    expect(stagesOf({ dns: 0 })).toEqual([{ name: 'dns', label: 'DNS', ms: 0, share: 0 }]);
    expect(stagesOf({})).toEqual([]);
  });
});
