/** A clock: its reading at a point of real time, and its speed relative to real time. */
export interface ClockFace {
  readonly realMs: number;
  readonly shownMs: number;
  readonly rate: number;
}

/** Returns the reading of the clock at a point of real time. */
export function shownAt({ realMs, shownMs, rate }: ClockFace, atMs: number): number {
  return Math.floor(shownMs + (atMs - realMs) * rate);
}
