import { type ChildProcess, spawn } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { AppError, signalAfterSilence, untilAborted } from '@gleaner/contracts';
import type { Logger } from '@gleaner/service-kit';
import puppeteer, { type Connection } from 'puppeteer-core';
import { type BrowserKind, chromiumFlags } from './chromium-flags.ts';
import { BASE_ENV, type Chromium } from './find-chromium.ts';
import { createOwnedFolder, killGroup, type OwnedFolder } from './owned-folder.ts';
import { createPipeTransport } from './pipe-transport.ts';

/** A running Chromium. */
export interface Browser {
  readonly connection: Connection;
  /** Its main process, which leads the group of all its processes. */
  readonly pid: number;
  /** Chromium's own User-Agent, with "Chrome" instead of "HeadlessChrome". */
  readonly userAgent: string;
  /** The full version, all four numbers. */
  readonly version: string;
  /** Aborted when the process has exited, with the error for the scrapes that were using it. */
  readonly gone: AbortSignal;
  /** Asks the browser to exit and kills it when it takes too long; resolves when its folder is removed. Never rejects. */
  close(): Promise<void>;
  /** Kills all its processes and removes its folder. Never rejects: what fails is logged. */
  kill(): Promise<void>;
}

/** Settings for starting one browser. */
export interface StartOptions {
  readonly chromium: Chromium;
  readonly browserFolder: string;
  readonly isSandboxed: boolean;
  readonly kind: BrowserKind;
  readonly logger: Pick<Logger, 'warn'>;
}

const START_TIMEOUT_MS = 20_000;
const CLOSE_TIMEOUT_MS = 2_000;
const KILL_TIMEOUT_MS = 10_000;
/** Every command is bounded by the signal of the work it belongs to, so puppeteer's own timeout is off. */
const NO_COMMAND_TIMEOUT = 0;
const LEAST_SHARED_MEMORY_BYTES = 512 * 1_048_576;

/** Undoes puppeteer's auto-attach, which makes every page and worker wait until puppeteer has inspected it. */
const NO_TARGETS = { autoAttach: false, waitForDebuggerOnStart: false, flatten: true };

/**
 * Starts a Chromium in its own process group and profile folder. Throws SERVICE_UNAVAILABLE with the end of its error
 * output as cause.
 */
export async function startBrowser(options: StartOptions): Promise<Browser> {
  const folder = await createOwnedFolder(options.browserFolder);
  const child = await launch(options, folder);
  const { kill, exited, gone, errorOutput } = superviseProcess(child, folder, options.logger);
  try {
    const startTimeout = signalAfterSilence(START_TIMEOUT_MS);
    const { connection, userAgent, version } = await untilAborted(
      connect(child),
      AbortSignal.any([gone, startTimeout]),
    );
    if (child.pid === undefined) throw browserExited('');
    await folder.claim(child.pid);
    const close = async () => {
      // A browser that exits by itself waits for its child processes; a killed one leaves them to the system.
      await untilAborted(connection.send('Browser.close'), signalAfterSilence(CLOSE_TIMEOUT_MS)).catch(
        () => {},
      );
      await untilAborted(exited, signalAfterSilence(CLOSE_TIMEOUT_MS)).catch(() => {});
      await kill();
    };
    return { connection, pid: child.pid, userAgent, version, gone, close, kill };
  } catch (cause) {
    await kill();
    throw notStarted(options.chromium.path, errorOutput(), cause);
  }
}

/** Follows a browser process to its exit and cleans up after it, without ever rejecting. */
function superviseProcess(child: ChildProcess, folder: OwnedFolder, logger: Pick<Logger, 'warn'>) {
  const errorOutput = recordErrorOutput(child);
  const gone = new AbortController();
  let hasExited = false;
  const exited = whenExited(child).then(() => {
    // Its children exit with it, except for stuck ones. Later the process id may belong to another process.
    killQuietly(child, logger);
    hasExited = true;
    gone.abort(browserExited(errorOutput()));
  });
  const cleanedUp = exited.then(() => removeQuietly(folder, logger));
  const kill = async () => {
    if (!hasExited) killQuietly(child, logger);
    await untilAborted(cleanedUp, signalAfterSilence(KILL_TIMEOUT_MS)).catch(() => {
      logger.warn({ pid: child.pid }, 'A browser did not exit in time after it was killed.');
    });
  };
  return { kill, exited, gone: gone.signal, errorOutput };
}

function killQuietly({ pid }: ChildProcess, logger: Pick<Logger, 'warn'>): void {
  if (pid === undefined) return;
  try {
    killGroup(pid);
  } catch (error) {
    logger.warn({ err: error, pid }, 'The processes of a browser could not be killed.');
  }
}

async function removeQuietly(folder: OwnedFolder, logger: Pick<Logger, 'warn'>): Promise<void> {
  await folder.remove().catch((error: unknown) => {
    logger.warn({ err: error, folder: folder.path }, 'The profile folder of a browser could not be removed.');
  });
}

async function launch(
  { chromium, isSandboxed, kind }: StartOptions,
  folder: OwnedFolder,
): Promise<ChildProcess> {
  const hasSharedMemory = await hasRoomInSharedMemory();
  const flags = chromiumFlags({
    profileDir: folder.path,
    isSandboxed,
    kind,
    hasSharedMemory,
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
    protocolTimeout: NO_COMMAND_TIMEOUT,
    // Pages are driven over sessions of our own, so that hostile ones cannot make puppeteer follow each of their frames.
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
  const version = /(?<![\d.])[\d.]+$/.exec(await browser.version())?.[0] ?? '';
  return { connection, userAgent, version };
}

function whenExited(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
}

const ERROR_OUTPUT_CHARACTERS = 2_000;

/** Returns a function that returns the end of the stderr of the process. */
function recordErrorOutput(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(-ERROR_OUTPUT_CHARACTERS);
  });
  return () => text.trim();
}

function browserExited(errorOutput: string): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    message: 'The browser exited while it was rendering the page.',
    retryAfterSeconds: 1,
    cause: new Error(errorOutput),
  });
}

function notStarted(path: string, errorOutput: string, cause: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    message: 'The browser could not be started.',
    suggestion: 'If you operate this service, see the log of the scraper for the reason.',
    retryAfterSeconds: 5,
    cause: new Error(`${path} did not start. ${errorOutput}`, { cause }),
  });
}
