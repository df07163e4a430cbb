import { renameSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ClockFace, shownAt } from './clock-face.ts';

/** A span that the clock leapt over, as it shows time. */
export interface Leap {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A fast clock that several processes live by, and that may be set. */
export interface TestClock {
  /** What a process is given so that it lives by this clock. */
  readonly env: Readonly<Record<string, string>>;
  /** Every leap ahead so far. */
  readonly leaps: readonly Leap[];
  now(): number;
  /** What it showed at a moment of the real clock. */
  shownWhen(realMs: number): number;
  /** From now on so many seconds pass in one. */
  runAt(rate: number): void;
  /** Sets the clock ahead, or back. */
  setBy(ms: number): void;
  /** Sets the clock right, and lets it run like any other. */
  setRight(): void;
}

const PRELOAD = resolve(import.meta.dirname, 'set-clock-of-process.ts');

/** Starts a clock that is right at first, kept in a file. */
export function startTestClock(file: string): TestClock {
  const leaps: Leap[] = [];
  const faces: ClockFace[] = [];
  function shownWhen(realMs: number): number {
    const face = faces.findLast((candidate) => candidate.realMs <= realMs) ?? faces[0];
    return face ? shownAt(face, realMs) : realMs;
  }
  const now = () => shownWhen(Date.now());
  /** Whoever reads sees the old clock or the new one, and nothing between. */
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
