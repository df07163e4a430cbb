import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 250;

/** Waits until the condition holds or the time is over; the checker reports what is missing then. */
export async function waitUntil(isSo: () => boolean | Promise<boolean>, boundMs: number): Promise<boolean> {
  const giveUpAtMs = Date.now() + boundMs;
  for (;;) {
    if (await isSo()) return true;
    if (Date.now() > giveUpAtMs) return false;
    await sleep(POLL_MS);
  }
}
