/** Tells publishers to wait while messages cannot be written, and when they may continue: RabbitMQ's disk alarm. */
export class DiskAlarm {
  #isRaised = false;
  #waiting: (() => void)[] = [];

  /** Called when publishers have to wait. */
  get isRaised(): boolean {
    return this.#isRaised;
  }

  raise(): void {
    this.#isRaised = true;
  }

  clear(): void {
    this.#isRaised = false;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const listener of waiting) setImmediate(listener);
  }

  /** Calls back once the alarm is cleared. */
  afterClear(listener: () => void): void {
    this.#waiting.push(listener);
  }
}
