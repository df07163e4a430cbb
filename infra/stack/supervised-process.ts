import { type ChildProcess, fork } from 'node:child_process';
import { createWriteStream, type WriteStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { lastWords } from './last-words.ts';
import { memorySettings } from './memory-settings.ts';
import { restartDelayMs } from './restart-delay.ts';

/** What to run, and where its output goes. */
export interface ProcessDefinition {
  readonly name: string;
  /** Absolute path of the TypeScript file. */
  readonly entry: string;
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
}

/** What a process tells when it is ready to work: the ports that it listens on, by purpose. */
export interface ReadyMessage {
  readonly type: 'ready';
  readonly ports?: Readonly<Record<string, number>>;
}

/** Hears what people at the terminal should know. */
export type Announce = (message: string) => void;

const READY_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 35_000;
/** Characters; a fatal line with all its causes fits in. */
const MAX_KEPT_OUTPUT = 32_000;
/** A process that lived this long starts its restarts from the shortest delay again. */
const STEADY_AFTER_MS = 30_000;

/**
 * Keeps one process running: starts it, restarts it with growing delays whenever it ends by itself, stops it
 * for good. The child has a process group of its own, so that Ctrl-C reaches it through `stop` alone.
 */
export class SupervisedProcess {
  readonly name: string;
  readonly #definition: ProcessDefinition;
  readonly #announce: Announce;
  readonly #log: WriteStream;
  readonly #stopped = new AbortController();
  #child: ChildProcess | undefined;
  #failuresInARow = 0;
  #lastLines = '';

  constructor(definition: ProcessDefinition, announce: Announce) {
    this.name = definition.name;
    this.#definition = definition;
    this.#announce = announce;
    this.#log = createWriteStream(definition.logFile, { flags: 'a' });
  }

  /** The process id, while there is one. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Starts the process for the first time; resolves when it says that it is ready, throws when it ends before. */
  async start(): Promise<ReadyMessage> {
    const ready = await this.#launch();
    this.#child?.once('exit', (code, signal) => void this.#restart(code, signal, Date.now()));
    return ready;
  }

  /** Asks the process to end, then ends it hard when it takes too long; it is not started again. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    const child = this.#child;
    if (child && child.exitCode === null && child.signalCode === null) {
      const exited = new Promise((done) => child.once('exit', done));
      child.kill('SIGTERM');
      const isLate = await Promise.race([
        exited.then(() => false),
        sleep(STOP_WITHIN_MS, true, { ref: false }),
      ]);
      if (isLate) {
        this.#announce(`${this.name} did not stop within ${STOP_WITHIN_MS / 1000} s and was killed`);
        child.kill('SIGKILL');
        await exited;
      }
    }
    this.#log.end();
  }

  #launch(): Promise<ReadyMessage> {
    const { entry, env } = this.#definition;
    const child = fork(entry, [], {
      env: { ...process.env, ...memorySettings(process.env.NODE_OPTIONS), ...env },
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true,
    });
    this.#child = child;
    this.#lastLines = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.pipe(this.#log, { end: false });
      stream?.on('data', (chunk: Buffer) => {
        this.#lastLines = (this.#lastLines + chunk.toString()).slice(-MAX_KEPT_OUTPUT);
      });
    }
    return this.#untilReady(child);
  }

  #untilReady(child: ChildProcess): Promise<ReadyMessage> {
    return new Promise((done, fail) => {
      const timer = setTimeout(() => {
        child.kill('SIGKILL');
        fail(this.#failure(`was not ready within ${READY_WITHIN_MS / 1000} s`));
      }, READY_WITHIN_MS);
      child.on('message', (message) => {
        if (!isReadyMessage(message)) return;
        clearTimeout(timer);
        done(message);
      });
      child.once('error', fail);
      child.once('exit', (code, signal) => {
        clearTimeout(timer);
        fail(this.#failure(`ended while starting (${describeExit(code, signal)})`));
      });
    });
  }

  #failure(what: string): Error {
    const said = lastWords(this.#lastLines);
    return new Error(
      `${this.name} ${what}.${said ? ` It said:\n${said}` : ''}\nIts log: ${this.#definition.logFile}`,
    );
  }

  async #restart(code: number | null, signal: NodeJS.Signals | null, startedAt: number): Promise<void> {
    if (this.#stopped.signal.aborted) return;
    this.#failuresInARow = Date.now() - startedAt > STEADY_AFTER_MS ? 0 : this.#failuresInARow + 1;
    const delayMs = restartDelayMs(this.#failuresInARow);
    this.#announce(
      `${this.name} ended (${describeExit(code, signal)}); starting it again${delayMs > 0 ? ` in ${delayMs / 1000} s` : ''}`,
    );
    try {
      await sleep(delayMs, undefined, { signal: this.#stopped.signal });
      const launchedAt = Date.now();
      await this.#launch();
      this.#announce(`${this.name} is running again`);
      this.#child?.once(
        'exit',
        (nextCode, nextSignal) => void this.#restart(nextCode, nextSignal, launchedAt),
      );
    } catch (error) {
      if (this.#stopped.signal.aborted) return;
      this.#announce(error instanceof Error ? error.message : String(error));
      void this.#restart(null, null, Date.now());
    }
  }
}

function isReadyMessage(message: unknown): message is ReadyMessage {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'ready';
}

function describeExit(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal) return `killed by ${signal}`;
  return code === null ? 'it did not start' : `exit code ${code}`;
}
