/** A clock: what it showed at a moment, and how many seconds of its own a real one lasts. */
export interface ClockFace {
  readonly realMs: number;
  readonly shownMs: number;
  readonly rate: number;
}

/** What the clock shows at a moment. */
export function shownAt({ realMs, shownMs, rate }: ClockFace, atMs: number): number {
  return Math.floor(shownMs + (atMs - realMs) * rate);
}
