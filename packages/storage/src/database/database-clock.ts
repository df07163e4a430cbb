/** Time by which leases, due times and expiries are written and compared. */
export type Clock = Pick<DatabaseClock, 'now' | 'nowMs'>;

/**
 * Time of the database server, by which every lease, due time and expiry is written and compared, so that a process whose
 * own clock is wrong neither takes work from others nor keeps it from them. Between readings it goes by the monotonic
 * clock of this process.
 */
export class DatabaseClock {
  /** Time of the server minus monotonic time; the clock of this process until the first reading. */
  #offsetMs = Date.now() - performance.now();

  nowMs(): number {
    return Math.floor(performance.now() + this.#offsetMs);
  }

  now(): Date {
    return new Date(this.nowMs());
  }

  /**
   * Follows a reading of the server's clock, made between two times of the monotonic clock: the present offset stays unless
   * the reading proves it wrong, so that slow answers do not make the clock jump.
   */
  follow(serverTime: Date, askedAtMs: number, answeredAtMs: number): void {
    const least = serverTime.getTime() - answeredAtMs;
    // The server tells whole milliseconds.
    const most = serverTime.getTime() + 1 - askedAtMs;
    this.#offsetMs = Math.min(Math.max(this.#offsetMs, least), most);
  }
}
