/** Items of several queues that take turns: the queue that gave an item the longest ago gives the next. */
export class FairQueue<Item> {
  /** The queue whose turn comes first is the first; none is empty. */
  readonly #queues = new Map<string, Set<Item>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds an item, which is in no queue yet, to the end of this queue. */
  push(queue: string, item: Item): void {
    const items = this.#queues.get(queue);
    if (items) items.add(item);
    else this.#queues.set(queue, new Set([item]));
    this.#size += 1;
  }

  /** Takes the next item out. */
  shift(): Item | undefined {
    for (const [queue, items] of this.#queues) {
      this.#queues.delete(queue);
      for (const item of items) {
        items.delete(item);
        this.#size -= 1;
        if (items.size > 0) this.#queues.set(queue, items);
        return item;
      }
    }
    return undefined;
  }

  /** Takes this item out, wherever in its queue it is; does nothing where it is not there. */
  remove(queue: string, item: Item): void {
    const items = this.#queues.get(queue);
    if (!items?.delete(item)) return;
    this.#size -= 1;
    if (items.size === 0) this.#queues.delete(queue);
  }
}
