import { describe, expect, it } from '@jest/globals';
import { hostHashOf, hostShareOf } from './host-share.ts';

describe('the hosts of planners', () => {
  it.each([1, 2, 3, 7, 64])('are divided among %d of them without a gap', (planners) => {
    const shares = Array.from({ length: planners }, (_, planner) => hostShareOf(planner, planners));
    expect(shares.map(({ from }) => from)).toEqual([0, ...shares.map(({ below }) => below)].slice(0, -1));
    expect(shares.at(-1)?.below).toBe(2 ** 31);
  });

  it('are about as many for each', () => {
    const { below } = hostShareOf(0, 4);
    const hosts = Array.from({ length: 10_000 }, (_, number) => `h${number}.test`);
    const own = hosts.filter((host) => hostHashOf(host) < below).length;
    expect(own / hosts.length).toBeCloseTo(0.25, 1);
  });

  it('stay the same from version to version', () => {
    expect(hostHashOf('example.com')).toBe(1371329403);
  });
});
