import { readFile } from 'node:fs/promises';
import type { Browser } from './start-browser.ts';

/** Limits in MB of anonymous memory: neither mapped files nor memory shared between processes. */
export interface MemoryLimits {
  /** A tab that uses more is killed. */
  readonly maxTabMb: number;
  /** A browser that uses more is replaced once its tabs are closed. */
  readonly maxBrowserMb: number;
}

/** Callbacks for limits that are exceeded. */
export interface MemoryAlarms {
  /** Nothing is measured while this returns false. */
  readonly isBusy: () => boolean;
  readonly onTabKilled: (megabytes: number) => void;
  readonly onOverweight: () => void;
  /** Called with the memory of all processes of the browser at each measurement. */
  readonly onMeasured: (megabytes: number) => void;
}

const MEASURE_EVERY_MS = 500;
/** A browser that does not answer by then is measured again later. */
const ANSWER_TIMEOUT_MS = 10_000;

/** Watches the memory of a browser's processes until the returned function is called. */
export function guardMemory(browser: Browser, limits: MemoryLimits, alarms: MemoryAlarms): () => void {
  let isMeasuring = false;
  const timer = setInterval(() => {
    if (isMeasuring || !alarms.isBusy()) return;
    isMeasuring = true;
    measure(browser, limits, alarms)
      .catch(() => {
        // The browser has exited, or is about to: the pool handles that.
      })
      .finally(() => {
        isMeasuring = false;
      });
  }, MEASURE_EVERY_MS).unref();
  return () => clearInterval(timer);
}

async function measure(
  { connection }: Browser,
  { maxTabMb, maxBrowserMb }: MemoryLimits,
  { onTabKilled, onOverweight, onMeasured }: MemoryAlarms,
): Promise<void> {
  const { processInfo } = await connection.send('SystemInfo.getProcessInfo', undefined, {
    timeout: ANSWER_TIMEOUT_MS,
  });
  const sizes = await Promise.all(
    processInfo.map(async ({ id, type }) => ({ id, type, mb: await ownMb(id) })),
  );
  for (const { id, type, mb } of sizes) {
    if (type !== 'renderer' || mb <= maxTabMb) continue;
    process.kill(id, 'SIGKILL');
    onTabKilled(mb);
  }
  const totalMb = sizes.reduce((sum, { mb }) => sum + mb, 0);
  onMeasured(totalMb);
  if (totalMb > maxBrowserMb) onOverweight();
}

/** Reads RssAnon of /proc/pid/status (proc(5)) in MB; 0 where it is missing. */
async function ownMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1_024);
}
