import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processTree } from '../process-tree.ts';

/** Processes, memory and files of a scraper's browsers. */
export interface BrowserFootprint {
  readonly processes: number;
  readonly renderers: number;
  /** Resident memory of Chromium's processes; shared memory counts for each. */
  readonly chromiumMb: number;
  readonly scraperMb: number;
  /** Folders of browsers in BROWSER_DIR. */
  readonly profiles: number;
  /** Files that Chromium may have left next to them. */
  readonly strays: number;
}

const MIB = 1_048_576;
const SETTLED_AFTER_LOOKS = 6;
const LOOK_EVERY_MS = 500;
const SETTLE_WITHIN_LOOKS = 60;

/** Returns the footprint once it has stopped changing, waiting half a minute at most. */
export async function settledFootprint(scraperPid: number, browserDir: string): Promise<BrowserFootprint> {
  let footprint = await readFootprint(scraperPid, browserDir);
  let sameLooks = 0;
  for (let look = 0; look < SETTLE_WITHIN_LOOKS && sameLooks < SETTLED_AFTER_LOOKS; look++) {
    await sleep(LOOK_EVERY_MS);
    const next = await readFootprint(scraperPid, browserDir);
    sameLooks = next.processes === footprint.processes ? sameLooks + 1 : 0;
    footprint = next;
  }
  return footprint;
}

async function readFootprint(scraperPid: number, browserDir: string): Promise<BrowserFootprint> {
  const tree = await processTree([scraperPid]);
  const chromium = tree.filter(({ pid }) => pid !== scraperPid);
  const [profiles, temporary] = await Promise.all([
    readdir(join(browserDir, 'running')).catch(() => []),
    readdir(tmpdir()),
  ]);
  const megabytes = (bytes: number) => Math.round(bytes / MIB);
  return {
    processes: chromium.length,
    renderers: chromium.filter(({ command }) => command.includes('--type=renderer')).length,
    chromiumMb: megabytes(chromium.reduce((sum, { residentBytes }) => sum + residentBytes, 0)),
    scraperMb: megabytes(tree.find(({ pid }) => pid === scraperPid)?.residentBytes ?? 0),
    profiles: profiles.length,
    strays: temporary.filter((name) => /chromium|puppeteer|\.com\.google/i.test(name)).length,
  };
}
