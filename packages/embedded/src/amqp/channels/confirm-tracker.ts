/** One confirm as it is sent to the publisher. */
export interface Confirmation {
  readonly name: 'basic.ack' | 'basic.nack';
  readonly tag: number;
  readonly isMultiple: boolean;
}

/** Numbers the publishes of a channel in confirm mode and collects the confirms to send. */
export class ConfirmTracker {
  #lastTag = 0;
  /** Unsettled tags in ascending order, since they are added in that order. */
  readonly #waiting = new Set<number>();
  #acked: number[] = [];
  #nacked: number[] = [];

  /** The number of the next publish. */
  next(): number {
    this.#lastTag += 1;
    this.#waiting.add(this.#lastTag);
    return this.#lastTag;
  }

  settle(tag: number, isAccepted: boolean): void {
    if (!this.#waiting.delete(tag)) return;
    (isAccepted ? this.#acked : this.#nacked).push(tag);
  }

  /** Returns the confirms settled since the last call, as few as possible: first the nacks, one by one. */
  take(): Confirmation[] {
    const acked = this.#acked.sort((a, b) => a - b);
    const nacked = this.#nacked;
    this.#acked = [];
    this.#nacked = [];
    const firstWaiting = this.#waiting.values().next().value ?? Number.POSITIVE_INFINITY;
    const early = acked.filter((tag) => tag < firstWaiting);
    const late = acked.slice(early.length);
    return [
      ...nacked.map((tag): Confirmation => ({ name: 'basic.nack', tag, isMultiple: false })),
      ...early
        .slice(-1)
        .map((tag): Confirmation => ({ name: 'basic.ack', tag, isMultiple: early.length > 1 })),
      ...late.map((tag): Confirmation => ({ name: 'basic.ack', tag, isMultiple: false })),
    ];
  }
}
