import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readRunFile } from '../../stack/folder/run-file.ts';
import { filesIn } from '../files.ts';
import { processesOf, processTree } from '../processes.ts';
import { isOfBrowser, profilesIn, type StackFolders } from './look-at-stack.ts';

/** Folders, settings and work of the killed stacks. */
export interface KilledStacks {
  readonly folders: StackFolders;
  readonly settings: Readonly<Record<string, string>>;
  /** Renders an ordinary page, then returns while pages that never end are rendered, with a function that waits for them. */
  readonly renderEndlessly: (stack: {
    readonly url: string;
    readonly apiKey: string;
  }) => Promise<() => Promise<unknown>>;
}

/** Things left by a killed stack: processes, zombies included, folders of profiles, and temporary files. */
export interface Leftovers {
  readonly processes: number;
  readonly profiles: number;
  readonly files: number;
  /** Time until they were looked at: when nothing was left, or the time was over. */
  readonly afterMs: number;
}

const MAIN = resolve(import.meta.dirname, '../../stack/main.ts');
const STARTED_WITHIN_MS = 120_000;
/** Everything of a killed stack is gone within five seconds, on a busy machine later. */
const GONE_WITHIN_MS = 60_000;

/**
 * Starts `npm start` again and again, each time on the same data, and kills it while it renders; returns what was left in all, and
 * the longest time that it took.
 */
export async function killStacks(kills: number, work: KilledStacks): Promise<Leftovers> {
  const left = { processes: 0, profiles: 0, files: 0, afterMs: 0 };
  for (let kill = 0; kill < kills; kill++) {
    const { processes, profiles, files, afterMs } = await killStack(work);
    left.processes += processes;
    left.afterMs = Math.max(left.afterMs, afterMs);
    left.profiles += profiles;
    left.files += files;
  }
  return left;
}

async function killStack({ folders, settings, renderEndlessly }: KilledStacks): Promise<Leftovers> {
  await mkdir(folders.temporary, { recursive: true });
  const main = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], {
    env: {
      ...process.env,
      ...settings,
      PORT: '0',
      METRICS_PORT: '0',
      GLEANER_DATA_DIR: folders.data,
      BROWSER_DIR: folders.browsers,
      CONSOLE_DIR: folders.data,
      TMPDIR: folders.temporary,
    },
    stdio: 'ignore',
  });
  const exited = once(main, 'exit');
  try {
    const { pid = 0 } = main;
    const untilRendered = await renderEndlessly(await untilRunning(folders.data, pid));
    const tree = await processTree([pid]);
    // Services and browsers lead groups of their own, which hold all of their processes.
    const groups = tree.map((each) => each.pid);
    if (!tree.some(isOfBrowser)) throw new Error('No browser was running when the stack was to be killed.');
    main.kill('SIGKILL');
    await exited;
    const killedAtMs = performance.now();
    await untilRendered();
    return await untilGone(groups, folders, killedAtMs);
  } finally {
    main.kill('SIGKILL');
  }
}

/** Waits until nothing of a killed stack is left, or the time is over; returns what is left then. */
async function untilGone(
  groups: readonly number[],
  folders: StackFolders,
  killedAtMs: number,
): Promise<Leftovers> {
  for (;;) {
    const left = {
      processes: (await processesOf(groups)).length,
      profiles: (await profilesIn(folders)).length,
      files: (await filesIn(folders.temporary)).length,
    };
    const afterMs = Math.round(performance.now() - killedAtMs);
    const isOver = afterMs > GONE_WITHIN_MS || Object.values(left).every((count) => count === 0);
    if (isOver) return { ...left, afterMs };
    await sleep(200);
  }
}

/** Waits for the addresses of a stack; returns them with its key. */
async function untilRunning(dataDir: string, pid: number): Promise<{ url: string; apiKey: string }> {
  const deadlineMs = performance.now() + STARTED_WITHIN_MS;
  while (performance.now() < deadlineMs) {
    const running = await readRunFile(dataDir);
    if (running?.pid === pid)
      return { url: running.url, apiKey: (await readFile(join(dataDir, 'api-key'), 'utf8')).trim() };
    await sleep(200);
  }
  throw new Error(`The stack did not start within ${STARTED_WITHIN_MS / 1000} s.`);
}
