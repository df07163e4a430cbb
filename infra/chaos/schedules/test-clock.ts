import { renameSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ClockFace, shownAt } from './set-clock-of-process.ts';

/** A span of clock time that a jump skipped. */
export interface Leap {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A fast, settable clock shared by several processes. */
export interface TestClock {
  /** Environment of a process that uses this clock. */
  readonly env: Readonly<Record<string, string>>;
  /** Every jump ahead so far. */
  readonly leaps: readonly Leap[];
  now(): number;
  /** Returns its reading at a point of real time. */
  shownWhen(realMs: number): number;
  /** Sets its speed relative to real time. */
  runAt(rate: number): void;
  /** Sets the clock ahead, or back. */
  setBy(ms: number): void;
  /** Sets the clock to real time and to normal speed. */
  setRight(): void;
}

const PRELOAD = resolve(import.meta.dirname, 'set-clock-of-process.ts');

/** Starts a clock that shows real time at first and is kept in a file. */
export function startTestClock(file: string): TestClock {
  const leaps: Leap[] = [];
  const faces: ClockFace[] = [];
  function shownWhen(realMs: number): number {
    const face = faces.findLast((candidate) => candidate.realMs <= realMs) ?? faces[0];
    return face ? shownAt(face, realMs) : realMs;
  }
  const now = () => shownWhen(Date.now());
  /** Replaces the file at once, so that readers see either the old or the new clock. */
  function show(shownMs: number, rate: number): void {
    const face = { realMs: Date.now(), shownMs, rate };
    faces.push(face);
    writeFileSync(`${file}.new`, JSON.stringify(face));
    renameSync(`${file}.new`, file);
  }
  const setRight = () => show(Date.now(), 1);
  setRight();
  return {
    env: { CHAOS_CLOCK_FILE: file, NODE_OPTIONS: `--import ${PRELOAD}` },
    leaps,
    now,
    shownWhen,
    setRight,
    runAt: (rate) => show(now(), rate),
    setBy(ms) {
      const fromMs = now();
      if (ms > 0) leaps.push({ fromMs, toMs: fromMs + ms });
      show(fromMs + ms, faces.at(-1)?.rate ?? 1);
    },
  };
}
