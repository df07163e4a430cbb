import { type ChildProcess, spawn } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { AppError } from '@gleaner/contracts';
import puppeteer, { type Connection } from 'puppeteer-core';
import { type BrowserKind, chromiumFlags } from './chromium-flags.ts';
import { BASE_ENV, type Chromium } from './find-chromium.ts';
import { killGroup } from './kill-group.ts';
import { createPipeTransport } from './pipe-transport.ts';
import { createProfileFolder, type ProfileFolder } from './profile-folder.ts';
import { untilAborted } from './until-aborted.ts';

/** A running Chromium. */
export interface Browser {
  readonly connection: Connection;
  /** Its main process, which leads the group of all its processes. */
  readonly pid: number;
  /** As Chromium would send it, without the mark of a browser that nobody sees. */
  readonly userAgent: string;
  /** All four numbers. */
  readonly version: string;
  /** Aborted when it has ended, for whatever reason, with the error for those who were using it. */
  readonly gone: AbortSignal;
  /** Asks it to end, and ends it hard when it takes too long; resolves when its folder is removed. */
  close(): Promise<void>;
  /** Ends all its processes at once. */
  kill(): Promise<void>;
}

/** How a browser is started. */
export interface StartOptions {
  readonly chromium: Chromium;
  readonly browserFolder: string;
  readonly isSandboxed: boolean;
  readonly kind: BrowserKind;
}

const START_TIMEOUT_MS = 20_000;
const CLOSE_TIMEOUT_MS = 2_000;
/** No command takes this long, unless the browser is stuck; whoever waits for a page has a shorter time. */
const COMMAND_TIMEOUT_MS = 30_000;
const LEAST_SHARED_MEMORY_BYTES = 512 * 1_048_576;

/** puppeteer has every page and worker wait until it has looked at it. */
const NO_TARGETS = { autoAttach: false, waitForDebuggerOnStart: false, flatten: true };

/** Starts a Chromium in a process group and a folder of its own. Throws SERVICE_UNAVAILABLE with its last words. */
export async function startBrowser(options: StartOptions): Promise<Browser> {
  const folder = await createProfileFolder(options.browserFolder);
  const child = await launch(options, folder);
  const ended = whenEnded(child);
  const gone = new AbortController();
  const kill = async () => {
    if (child.pid !== undefined) killGroup(child.pid);
    await ended;
    await folder.remove();
  };
  const lastWords = recordLastWords(child);
  void ended.then(async () => {
    gone.abort(browserEnded(lastWords()));
    // Its children end with it; those that are stuck don't.
    await kill();
  });
  try {
    const startTimeout = AbortSignal.timeout(START_TIMEOUT_MS);
    const { connection, userAgent, version } = await untilAborted(
      connect(child),
      AbortSignal.any([gone.signal, startTimeout]),
    );
    if (child.pid === undefined) throw browserEnded('');
    await folder.claim(child.pid);
    const close = async () => {
      // A browser that ends by itself waits for its children, where a killed one leaves that to the system.
      await untilAborted(connection.send('Browser.close'), AbortSignal.timeout(CLOSE_TIMEOUT_MS)).catch(
        () => {},
      );
      await untilAborted(ended, AbortSignal.timeout(CLOSE_TIMEOUT_MS)).catch(() => {});
      await kill();
    };
    return { connection, pid: child.pid, userAgent, version, gone: gone.signal, close, kill };
  } catch (cause) {
    await kill();
    throw notStarted(options.chromium.path, lastWords(), cause);
  }
}

async function launch(
  { chromium, isSandboxed, kind }: StartOptions,
  folder: ProfileFolder,
): Promise<ChildProcess> {
  const hasSharedMemory = await hasRoomInSharedMemory();
  const flags = chromiumFlags({
    ...{ profileDir: folder.path, isSandboxed, kind, hasSharedMemory },
    version: chromium.version,
  });
  const child = spawn(chromium.path, flags, {
    cwd: folder.path,
    detached: true,
    env: { ...BASE_ENV, ...chromium.env, HOME: folder.path, TMPDIR: folder.path },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  });
  return child;
}

async function hasRoomInSharedMemory(): Promise<boolean> {
  return statfs('/dev/shm').then(
    ({ bavail, bsize }) => bavail * bsize >= LEAST_SHARED_MEMORY_BYTES,
    () => false,
  );
}

async function connect(child: ChildProcess): Promise<Pick<Browser, 'connection' | 'userAgent' | 'version'>> {
  const [, , , toChromium, fromChromium] = child.stdio as [null, null, Readable, Writable, Readable];
  const browser = await puppeteer.connect({
    transport: createPipeTransport(toChromium, fromChromium),
    defaultViewport: null,
    protocolTimeout: COMMAND_TIMEOUT_MS,
    // Pages are spoken to over sessions of our own, so that hostile ones cannot make puppeteer follow each of their frames.
    targetFilter: (target) => target.type() === 'browser',
  });
  const session = await browser.target().createCDPSession();
  const connection = session.connection();
  if (!connection) throw new Error('The connection closed at once.');
  await Promise.all([
    connection.send('Target.setAutoAttach', NO_TARGETS),
    connection.send('Target.setDiscoverTargets', { discover: false }),
  ]);
  const userAgent = (await browser.userAgent()).replace('HeadlessChrome', 'Chrome');
  const version = /[\d.]+$/.exec(await browser.version())?.[0] ?? '';
  return { connection, userAgent, version };
}

function whenEnded(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
}

/** Gives the last lines of what the process has written, for the case that it does not start. */
function recordLastWords(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(-2_000);
  });
  return () => text.trim();
}

function browserEnded(lastWords: string): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    message: 'The browser ended while it had the page.',
    retryAfterSeconds: 1,
    cause: new Error(lastWords),
  });
}

function notStarted(path: string, lastWords: string, cause: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    message: 'The browser could not be started.',
    suggestion: 'If this service is yours, the log of the scraper says why.',
    retryAfterSeconds: 5,
    cause: new Error(`${path} did not start. ${lastWords}`, { cause }),
  });
}
