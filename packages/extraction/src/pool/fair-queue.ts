/** Items of several queues, served in rotation: the next item comes from the queue served longest ago. */
export class FairQueue<Item> {
  /** Queues in the order of service; none is empty. */
  readonly #queues = new Map<string, Set<Item>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds an item, which must not be in any queue yet, to the end of this queue. */
  push(queue: string, item: Item): void {
    const items = this.#queues.get(queue);
    if (items) items.add(item);
    else this.#queues.set(queue, new Set([item]));
    this.#size += 1;
  }

  /** Adds an item to the beginning of this queue. */
  unshift(queue: string, item: Item): void {
    const items = this.#queues.get(queue) ?? [];
    this.#queues.set(queue, new Set([item, ...items]));
    this.#size += 1;
  }

  /** Removes and returns the next item, or the next that is acceptable; only the first of each queue is considered. */
  shift(isAcceptable: (item: Item) => boolean = () => true): Item | undefined {
    for (const [queue, items] of this.#queues) {
      const [item] = items;
      if (item === undefined || !isAcceptable(item)) continue;
      this.#queues.delete(queue);
      items.delete(item);
      this.#size -= 1;
      if (items.size > 0) this.#queues.set(queue, items);
      return item;
    }
    return undefined;
  }

  /** Removes an item from its queue; does nothing if it is not there. */
  remove(queue: string, item: Item): void {
    const items = this.#queues.get(queue);
    if (!items?.delete(item)) return;
    this.#size -= 1;
    if (items.size === 0) this.#queues.delete(queue);
  }
}
