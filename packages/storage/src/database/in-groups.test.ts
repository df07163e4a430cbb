import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { inGroups } from './in-groups.ts';

/** Work on words by their first letter, which ends when the test says so. */
function startWork() {
  const groups: string[][] = [];
  const ends: (() => void)[] = [];
  const shout = inGroups<string, string>(
    (word) => word.slice(0, 1),
    async (words) => {
      groups.push([...words]);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (words.includes('a bad group')) throw new Error('The group failed.');
      return words.map(async (word) => {
        if (word === 'a bad word') throw new Error('The word failed.');
        return word.toUpperCase();
      });
    },
  );
  const endNext = async () => {
    ends.shift()?.();
    await nextTurn();
  };
  return { groups, shout, endNext };
}

describe('inGroups', () => {
  it('works on a lone item in the next turn', async () => {
    const { groups, shout, endNext } = startWork();
    const shouted = shout('a1');
    await nextTurn();
    expect(groups).toEqual([['a1']]);
    await endNext();
    expect(await shouted).toBe('A1');
    expect(groups).toEqual([['a1']]);
  });

  it('gathers what comes in one turn, or while work with the same key is running', async () => {
    const { groups, shout, endNext } = startWork();
    const shouted = Promise.all(['a1', 'a2', 'b1'].map(shout));
    await nextTurn();
    expect(groups).toEqual([['a1', 'a2'], ['b1']]);
    const next = Promise.all(['a3', 'a4'].map(shout));
    await nextTurn();
    expect(groups).toEqual([['a1', 'a2'], ['b1']]);
    await endNext();
    expect(groups).toEqual([['a1', 'a2'], ['b1'], ['a3', 'a4']]);
    await endNext();
    await endNext();
    expect([await shouted, await next]).toEqual([
      ['A1', 'A2', 'B1'],
      ['A3', 'A4'],
    ]);
    const later = shout('a5');
    await nextTurn();
    expect(groups.at(-1)).toEqual(['a5']);
    await endNext();
    expect(await later).toBe('A5');
  });

  it('rejects the items of a failed group, and works on the next one', async () => {
    const { shout, endNext } = startWork();
    const alone = shout('a1');
    await nextTurn();
    const settled = Promise.allSettled(['a bad group', 'a2'].map(shout));
    await endNext();
    const next = shout('a3');
    await endNext();
    await endNext();
    const error = new Error('The group failed.');
    expect(await alone).toBe('A1');
    expect(await settled).toEqual([
      { status: 'rejected', reason: error },
      { status: 'rejected', reason: error },
    ]);
    expect(await next).toBe('A3');
  });

  it('rejects an item that fails by itself, not its neighbors', async () => {
    const { shout, endNext } = startWork();
    const settled = Promise.allSettled(['a1', 'a bad word', 'a2'].map(shout));
    await nextTurn();
    await endNext();
    expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('does not wait for a group that hangs', async () => {
    const { groups, shout } = startWork();
    const stuck = Symbol('stuck');
    const first = shout('a1');
    await nextTurn();
    const shouted = [first, shout('a2'), shout('a3')];
    while (groups.length < 2) await sleep(10);
    expect(groups).toEqual([['a1'], ['a2', 'a3']]);
    expect(await Promise.race([...shouted, nextTurn(stuck)])).toBe(stuck);
  });

  it('bounds the size of a group', async () => {
    const { groups, shout, endNext } = startWork();
    const shouted = Promise.all(Array.from({ length: 251 }, (_, index) => shout(`a${index}`)));
    await nextTurn();
    for (let end = 0; end < 2; end++) await endNext();
    expect(groups.map(({ length }) => length)).toEqual([200, 51]);
    expect(await shouted).toHaveLength(251);
  });
});
