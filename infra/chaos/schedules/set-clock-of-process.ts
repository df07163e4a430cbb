/**
 * Preloaded (`node --import`) into a process that uses a test clock: its dates come from the clock file, which may be set at
 * any time. Timers are unaffected, as when the clock of a machine is set.
 */
import { readFileSync } from 'node:fs';

/** A clock: its reading at a point of real time, and its speed relative to real time. */
export interface ClockFace {
  readonly realMs: number;
  readonly shownMs: number;
  readonly rate: number;
}

/** Interval of reading the file, since dates are read thousands of times a second. */
const READ_EVERY_MS = 20;

const file = process.env.CHAOS_CLOCK_FILE;
if (file !== undefined) globalThis.Date = dateBy(file, Date);

function dateBy(clockFile: string, RealDate: DateConstructor): DateConstructor {
  let face: ClockFace | undefined;
  let readAtMs = Number.NEGATIVE_INFINITY;
  function now(): number {
    const realMs = RealDate.now();
    if (face === undefined || Math.abs(realMs - readAtMs) > READ_EVERY_MS) {
      face = JSON.parse(readFileSync(clockFile, 'utf8')) as ClockFace;
      readAtMs = realMs;
    }
    return shownAt(face, realMs);
  }
  return new Proxy(RealDate, {
    construct: (target, given, newTarget) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
    apply: () => new RealDate(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
}

/** Returns the reading of the clock at a point of real time. */
export function shownAt({ realMs, shownMs, rate }: ClockFace, atMs: number): number {
  return Math.floor(shownMs + (atMs - realMs) * rate);
}
