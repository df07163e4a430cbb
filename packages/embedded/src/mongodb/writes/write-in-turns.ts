import type { Pacer } from '../query/pacer.ts';
import type { Collection } from '../storage/collection.ts';

interface TurnDeps {
  readonly collection: Collection;
  readonly pacer: Pacer;
}

/**
 * Does the work for one item after the other, in transactions no longer than a turn, between which other work runs. The
 * work returns whether to continue; its changes so far are kept either way.
 */
export async function writeInTurns<Item>(
  items: readonly Item[],
  { collection, pacer }: TurnDeps,
  work: (item: Item, index: number) => boolean,
): Promise<void> {
  let next = 0;
  while (next < items.length) {
    if (next > 0) await pacer.nextTurn();
    pacer.check();
    collection.write(() => {
      do {
        const goesOn = work(items[next] as Item, next);
        next = goesOn ? next + 1 : items.length;
      } while (next < items.length && !pacer.isTurnOver);
    });
  }
}
