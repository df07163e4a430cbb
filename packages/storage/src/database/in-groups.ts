import { setImmediate as nextTurn } from 'node:timers/promises';

/** Result of one item of a group, or a promise of it where the item is worked on by itself. */
type Outcome<Result> = Result | Promise<Result>;

/** Works on the items of one group, and returns the outcome of each in their order; rejects for all of them. */
export type GroupWork<Item, Result> = (items: readonly Item[]) => Promise<readonly Outcome<Result>[]>;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (outcome: Outcome<Result>) => void;
  readonly reject: (error: unknown) => void;
}

/** Most items of a group, so that one command stays far from every limit. */
const MAX_ITEMS = 200;
/** Time after which a group no longer keeps others waiting: a command on a stalled connection ends only after seconds. */
const PATIENCE_MS = 250;

/**
 * Returns a function for work on items in groups: all of one turn of the event loop, or, while other work with their key is
 * running, all until its end, at most 250 ms. A lone item waits for the end of the turn alone; many at once share their round
 * trips.
 */
export function inGroups<Item, Result>(
  keyOf: (item: Item) => string,
  work: GroupWork<Item, Result>,
): (item: Item) => Promise<Result> {
  const waiting = new Map<string, Waiting<Item, Result>[]>();

  async function workOn(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const outcomes = await work(group.map(({ item }) => item));
      for (const [index, { resolve }] of group.entries()) resolve(outcomes[index] as Outcome<Result>);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  async function run(key: string, first: Waiting<Item, Result>): Promise<void> {
    const others = [first];
    waiting.set(key, others);
    await nextTurn();
    let group = others.splice(0, MAX_ITEMS);
    while (group.length > 0) {
      const impatience = Promise.withResolvers<void>();
      const timer = setTimeout(impatience.resolve, PATIENCE_MS);
      await Promise.race([workOn(group), impatience.promise]);
      clearTimeout(timer);
      group = others.splice(0, MAX_ITEMS);
    }
    waiting.delete(key);
  }

  return (item) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const entry = { item, resolve, reject };
    const key = keyOf(item);
    const others = waiting.get(key);
    if (others) others.push(entry);
    else run(key, entry).catch(reject);
    return promise;
  };
}
