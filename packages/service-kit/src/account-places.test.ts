import { describe, expect, it } from '@jest/globals';
import { AccountPlaces } from './account-places.ts';

const NEVER = new AbortController().signal;

/** Takes a place and records its name once it has it. */
function ask(places: AccountPlaces, accountId: string, name: string, granted: string[]) {
  return places.take(accountId, NEVER).then((place) => {
    granted.push(name);
    return place;
  });
}

/** Lets all pending work run. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('AccountPlaces', () => {
  it.each([
    [1, 2],
    [2, 3],
    [4, 6],
    [150, 200],
  ])('has more places than the %d of one account: %d', (perAccount, total) => {
    expect(new AccountPlaces({ perAccount }).total).toBe(total);
  });

  it('never gives all places to one account', async () => {
    const places = new AccountPlaces({ perAccount: 2 });
    const granted: string[] = [];
    for (const name of ['a1', 'a2', 'a3', 'a4']) void ask(places, 'a', name, granted);
    await settle();
    expect(granted).toEqual(['a1', 'a2']);
    void ask(places, 'b', 'b1', granted);
    await settle();
    expect(granted).toEqual(['a1', 'a2', 'b1']);
  });

  it('gives a free place to the account with the fewest, and to its requests in order', async () => {
    const places = new AccountPlaces({ perAccount: 2 });
    const granted: string[] = [];
    const first = await ask(places, 'a', 'a1', granted);
    const second = await ask(places, 'a', 'a2', granted);
    const third = await ask(places, 'b', 'b1', granted);
    for (const name of ['b2', 'b3']) void ask(places, 'b', name, granted);
    void ask(places, 'c', 'c1', granted);
    first[Symbol.dispose]();
    await settle();
    expect(granted.slice(3)).toEqual(['c1']);
    second[Symbol.dispose]();
    await settle();
    expect(granted.slice(3)).toEqual(['c1', 'b2']);
    third[Symbol.dispose]();
    await settle();
    expect(granted.slice(3)).toEqual(['c1', 'b2', 'b3']);
  });

  it('takes a place back once, and gives none to requests that were aborted', async () => {
    const places = new AccountPlaces({ perAccount: 1 });
    const gone = new AbortController();
    const granted: string[] = [];
    const place = await ask(places, 'a', 'a1', granted);
    const waiting = places.take('a', gone.signal);
    void ask(places, 'a', 'a2', granted);
    gone.abort(new Error('The caller has gone.'));
    await expect(waiting).rejects.toThrow('The caller has gone.');
    place[Symbol.dispose]();
    place[Symbol.dispose]();
    void ask(places, 'a', 'a3', granted);
    await settle();
    expect(granted).toEqual(['a1', 'a2']);
    await expect(places.take('b', AbortSignal.abort(new Error('Too late.')))).rejects.toThrow('Too late.');
  });
});
