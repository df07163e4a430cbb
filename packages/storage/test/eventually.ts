import { setTimeout as delay } from 'node:timers/promises';

const BOUND_MS = 20_000;
const PAUSE_MS = 50;

/** Tries an assertion until it holds; throws its last failure after 20 s. */
export async function eventually(assertion: () => unknown): Promise<void> {
  const deadlineMs = Date.now() + BOUND_MS;
  for (;;) {
    try {
      await assertion();
      return;
    } catch (failure) {
      if (Date.now() > deadlineMs) throw failure;
    }
    await delay(PAUSE_MS);
  }
}
