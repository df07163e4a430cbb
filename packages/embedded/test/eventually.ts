import { setTimeout as delay } from 'node:timers/promises';

/** Waits until the probe answers with anything but undefined or false; rejects after the bound. */
export async function eventually<Value>(
  what: string,
  probe: () => Promise<Value | undefined | false> | Value | undefined | false,
  boundMs = 30_000,
): Promise<Value> {
  const deadlineMs = Date.now() + boundMs;
  for (;;) {
    const value = await probe();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > deadlineMs) throw new Error(`${what}: not so within ${boundMs} ms`);
    await delay(10);
  }
}
