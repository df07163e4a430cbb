import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 250;

/** Waits until it is so; gives up quietly after the bound, for the checker to say what is missing. */
export async function waitUntil(isSo: () => boolean | Promise<boolean>, boundMs: number): Promise<boolean> {
  const giveUpAtMs = Date.now() + boundMs;
  for (;;) {
    if (await isSo()) return true;
    if (Date.now() > giveUpAtMs) return false;
    await sleep(POLL_MS);
  }
}
