import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, constants, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { StateOrigin, StorageState } from '@gleaner/contracts';
import { fitOrigin, hasStorage, READ_ORIGIN, toStateCookie } from '@gleaner/contracts/browser-state';
import type { Cli } from '../cli.ts';
import { CommandError } from '../exit-codes.ts';
import { DevTools } from './dev-tools.ts';
import { createLoginFolder } from './login-folder.ts';

/** Names of browsers on the path, and places of browsers outside it. */
const NAMES = ['google-chrome', 'chromium', 'chromium-browser', 'microsoft-edge', 'brave-browser'];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];
const CLOSE_WITHIN_MS = 5000;

/**
 * Opens a window of a browser on this machine, with a folder of its own, and returns the session that a person has signed in
 * with, once they press Enter. Throws where there is no browser, or when it is closed before.
 */
export async function signInByHand(
  url: string,
  cli: Pick<Cli, 'env' | 'terminal' | 'signal'>,
): Promise<StorageState> {
  const { terminal, signal } = cli;
  const path = await findBrowser(cli.env);
  const folder = await createLoginFolder();
  const flags = ['--remote-debugging-pipe', '--no-first-run', '--no-default-browser-check'];
  const child = spawn(path, [...flags, `--user-data-dir=${folder}`, '--new-window', url], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit').catch(() => []);
  const closed = exited.then(() => {
    throw new CommandError('The browser was closed, or did not start, before its session was read.', {
      suggestion:
        'Sign in, leave the window open, and press Enter here. On a machine without a display, use --state-file.',
    });
  });
  closed.catch(() => {});
  try {
    const tools = new DevTools(child.stdio[3], child.stdio[4]);
    terminal.warn(`Sign in at ${url} in the window that opens, leave it open, and press Enter here.\n`);
    await Promise.race([untilEnter(terminal.stdin, signal), closed]);
    const state = await Promise.race([readState(tools), closed]);
    tools.send('Browser.close').catch(() => {});
    return state;
  } finally {
    const timer = setTimeout(() => child.kill('SIGKILL'), CLOSE_WITHIN_MS);
    if (signal.aborted) child.kill('SIGKILL');
    await exited;
    clearTimeout(timer);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Returns the path of a browser. Throws with what to do where none is found. */
async function findBrowser({ CHROMIUM_PATH, PATH = '' }: Cli['env']): Promise<string> {
  const named = CHROMIUM_PATH === undefined ? undefined : [CHROMIUM_PATH];
  const onPath = PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  for (const candidate of named ?? [...onPath, ...PLACES]) {
    const isThere = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return candidate;
  }
  throw new CommandError(
    named
      ? `CHROMIUM_PATH is ${CHROMIUM_PATH}, which cannot be run.`
      : 'There is no Chrome, Chromium or Edge on this machine.',
    { suggestion: 'Install one, or set CHROMIUM_PATH to its program. Without one, use --state-file.' },
  );
}

/** Resolves at the first line of the input. */
async function untilEnter(stdin: NodeJS.ReadStream, signal: AbortSignal): Promise<void> {
  stdin.resume();
  try {
    await Promise.race([once(stdin, 'data', { signal }), once(stdin, 'end', { signal })]);
  } finally {
    stdin.pause();
    (stdin as Readable & { unref?(): void }).unref?.();
  }
}

interface Target {
  readonly targetId: string;
  readonly type: string;
  readonly url: string;
}

/** Reads the cookies of the browser, and the storage of the pages that are open, as far as it fits into a state. */
async function readState(tools: DevTools): Promise<StorageState> {
  const answer = await tools.send<{ cookies: Parameters<typeof toStateCookie>[0][] }>('Storage.getCookies');
  const cookies = answer.cookies.map(toStateCookie);
  const { targetInfos } = await tools.send<{ targetInfos: Target[] }>('Target.getTargets');
  const origins = new Map<string, StateOrigin>();
  for (const { targetId, type, url } of targetInfos) {
    if (type !== 'page' || !/^https?:/.test(url)) continue;
    const { sessionId } = await tools.send<{ sessionId: string }>('Target.attachToTarget', {
      targetId,
      flatten: true,
    });
    const { result } = await tools.send<{ result: { value?: string | null } }>(
      'Runtime.evaluate',
      { expression: READ_ORIGIN, awaitPromise: true, returnByValue: true },
      sessionId,
    );
    if (typeof result.value !== 'string') continue;
    const origin = fitOrigin(JSON.parse(result.value), { cookies, origins: [...origins.values()] });
    if (origin && hasStorage(origin)) origins.set(origin.origin, origin);
  }
  return { cookies, origins: [...origins.values()] };
}
