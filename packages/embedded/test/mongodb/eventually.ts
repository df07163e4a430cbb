import { setTimeout } from 'node:timers/promises';

const BOUND_MS = 30_000;
const PAUSE_MS = 10;

/** Repeats an assertion until it holds; when time runs out its failure is the test's. */
export async function eventually(assertion: () => Promise<unknown>): Promise<void> {
  const end = performance.now() + BOUND_MS;
  for (;;) {
    try {
      await assertion();
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
      await setTimeout(PAUSE_MS);
    }
  }
}
