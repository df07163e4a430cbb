import { readFile } from 'node:fs/promises';
import type { Browser } from './start-browser.ts';

/** In MB of memory that is a process's own: neither files nor what it shares with the others. */
export interface MemoryLimits {
  /** A tab that takes more is ended. */
  readonly maxTabMb: number;
  /** A browser that takes more is replaced once its tabs are done. */
  readonly maxBrowserMb: number;
}

/** What is done when a limit is passed. */
export interface MemoryAlarms {
  /** Nothing is measured while this is false. */
  readonly isBusy: () => boolean;
  readonly onTabKilled: (megabytes: number) => void;
  readonly onOverweight: () => void;
}

const LOOK_EVERY_MS = 500;

/** Watches the memory of a browser's processes until the returned function is called. */
export function guardMemory(browser: Browser, limits: MemoryLimits, alarms: MemoryAlarms): () => void {
  let isLooking = false;
  const timer = setInterval(async () => {
    if (isLooking || !alarms.isBusy()) return;
    isLooking = true;
    await look(browser, limits, alarms).catch(() => {
      // The browser has ended, or is about to; others see to that.
    });
    isLooking = false;
  }, LOOK_EVERY_MS).unref();
  return () => clearInterval(timer);
}

async function look(
  { connection }: Browser,
  { maxTabMb, maxBrowserMb }: MemoryLimits,
  { onTabKilled, onOverweight }: MemoryAlarms,
): Promise<void> {
  const { processInfo } = await connection.send('SystemInfo.getProcessInfo');
  const sizes = await Promise.all(
    processInfo.map(async ({ id, type }) => ({ id, type, mb: await ownMb(id) })),
  );
  for (const { id, type, mb } of sizes) {
    if (type !== 'renderer' || mb <= maxTabMb) continue;
    process.kill(id, 'SIGKILL');
    onTabKilled(mb);
  }
  if (sizes.reduce((sum, { mb }) => sum + mb, 0) > maxBrowserMb) onOverweight();
}

/** RssAnon of /proc/pid/status (proc(5)) in MB; 0 where there is none. */
async function ownMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1_024);
}
