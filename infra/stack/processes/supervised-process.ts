import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadyMessage } from '@gleaner/service-kit';
import { exitReason } from './exit-reason.ts';
import { type Announce, LogFile } from './log-file.ts';
import { memorySettings, nodeArguments } from './memory-settings.ts';

/** The program of a process, its environment, and the file that takes its output. */
export interface ProcessDefinition {
  readonly name: string;
  /** Absolute path of the TypeScript file. */
  readonly entry: string;
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** Names of the services that share the process: the arguments of the program, and each says when it is ready. */
  readonly services?: readonly string[];
  /** Sentence for the operator when the process crashes in native code. */
  readonly crashAdvice?: string;
}

const READY_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 35_000;
/** For the last lines of a process that has ended; its own children may keep its output open. */
const OUTPUT_WITHIN_MS = 1000;
/** Characters; a fatal line with all its causes fits in. */
const MAX_KEPT_OUTPUT = 32_000;
/** A process that ran this long is restarted with the shortest delay again. */
const STEADY_AFTER_MS = 30_000;
const LONGEST_RESTART_DELAY_MS = 10_000;
const CRASH_SIGNALS: ReadonlySet<NodeJS.Signals> = new Set(['SIGABRT', 'SIGBUS', 'SIGSEGV']);

/**
 * Keeps one process running: starts it, restarts it with growing delays when it ends, and stops it for good. The child
 * has a process group of its own, so that Ctrl-C reaches it only through `stop`.
 */
export class SupervisedProcess {
  readonly name: string;
  readonly #definition: ProcessDefinition;
  readonly #announce: Announce;
  readonly #log: LogFile;
  #outputEnd: Promise<unknown> = Promise.resolve();
  readonly #stopped = new AbortController();
  #child: ChildProcess | undefined;
  /** One entry for each service that is ready. */
  #ports: ReadyMessage['ports'][] = [];
  #restarts = 0;
  #lastOutput = '';

  constructor(definition: ProcessDefinition, announce: Announce) {
    this.name = definition.name;
    this.#definition = definition;
    this.#announce = announce;
    this.#log = new LogFile(definition.logFile, announce);
  }

  /** The process id, while the process runs. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** The ports that each of its services listens on, by purpose; undefined until all are ready, and after the end. */
  get ports(): readonly ReadyMessage['ports'][] | undefined {
    return this.#ports.length === this.#serviceCount ? this.#ports : undefined;
  }

  get #serviceCount(): number {
    return this.#definition.services?.length ?? 1;
  }

  /** The number of times that it was started again. */
  get restarts(): number {
    return this.#restarts;
  }

  /**
   * Starts the process for the first time. Resolves when it reports that it is ready; throws when it ends before, and then it
   * is stopped.
   */
  async start(): Promise<ReadyMessage> {
    const ready = await this.#launch().catch(async (error: unknown) => {
      await this.stop();
      throw error;
    });
    this.#keepRunning().catch((error) => this.#announce(`${this.name} is not watched any more: ${error}`));
    return ready;
  }

  /** Asks the process to end and kills it when it takes too long; it is not started again. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    const child = this.#child;
    if (child && isRunning(child)) {
      const exited = once(child, 'exit');
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
    await Promise.race([this.#outputEnd, sleep(OUTPUT_WITHIN_MS, undefined, { ref: false })]);
    await this.#log.close();
  }

  /** Starts the process again each time it ends, until it is stopped. */
  async #keepRunning(): Promise<void> {
    for (let failuresInARow = 0; ; ) {
      const launchedAt = Date.now();
      const child = this.#child;
      if (child && isRunning(child)) await once(child, 'exit');
      if (this.#stopped.signal.aborted) return;
      this.#restarts += 1;
      failuresInARow = Date.now() - launchedAt > STEADY_AFTER_MS ? 0 : failuresInARow + 1;
      const delayMs = restartDelayMs(failuresInARow);
      const when = delayMs > 0 ? ` in ${delayMs / 1000} s` : '';
      this.#announce(
        `${this.name} ended (${describeExit(child)}); starting it again${when}${this.#adviceAfter(child)}`,
      );
      try {
        await sleep(delayMs, undefined, { signal: this.#stopped.signal });
        await this.#launch();
        this.#announce(`${this.name} is running again`);
      } catch (error) {
        if (this.#stopped.signal.aborted) return;
        this.#announce(error instanceof Error ? error.message : String(error));
      }
    }
  }

  #launch(): Promise<ReadyMessage> {
    const { entry, env, services = [] } = this.#definition;
    const child = fork(entry, services, {
      env: { ...process.env, ...memorySettings(process.env.NODE_OPTIONS), ...env },
      execArgv: nodeArguments(),
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true,
    });
    this.#child = child;
    this.#outputEnd = once(child, 'close');
    this.#outputEnd.catch(() => {});
    this.#ports = [];
    child.once('exit', () => {
      if (this.#child === child) this.#ports = [];
    });
    this.#lastOutput = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.#log.write(chunk);
        this.#lastOutput = (this.#lastOutput + chunk.toString()).slice(-MAX_KEPT_OUTPUT);
      });
    }
    return this.#untilReady(child);
  }

  #untilReady(child: ChildProcess): Promise<ReadyMessage> {
    return new Promise((done, fail) => {
      const timer = setTimeout(() => {
        child.kill('SIGKILL');
        fail(this.#startError(`was not ready within ${READY_WITHIN_MS / 1000} s`));
      }, READY_WITHIN_MS);
      child.on('message', (message) => {
        if (!isReadyMessage(message)) return;
        this.#ports.push(message.ports);
        if (this.#ports.length < this.#serviceCount) return;
        clearTimeout(timer);
        done(message);
      });
      child.once('error', fail);
      child.once('exit', () => {
        clearTimeout(timer);
        fail(this.#startError(`ended while starting (${describeExit(child)})`, this.#adviceAfter(child)));
      });
    });
  }

  #startError(what: string, advice = ''): Error {
    const reason = exitReason(this.#lastOutput);
    const output = reason ? ` Its output:\n${reason}` : '';
    return new Error(`${this.name} ${what}.${output}${advice}\nIts log: ${this.#definition.logFile}`);
  }

  /** Returns the advice for the operator on a line of its own; nothing unless the process crashed in native code. */
  #adviceAfter(child: ChildProcess | undefined): string {
    const { crashAdvice } = this.#definition;
    const hasCrashed = child?.signalCode && CRASH_SIGNALS.has(child.signalCode);
    return crashAdvice && hasCrashed ? `\n${crashAdvice}` : '';
  }
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

function isReadyMessage(message: unknown): message is ReadyMessage {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'ready';
}

function describeExit(child: ChildProcess | undefined): string {
  if (child?.signalCode) return `killed by ${child.signalCode}`;
  return typeof child?.exitCode === 'number' ? `exit code ${child.exitCode}` : 'it could not be started';
}

/** The delay before a process is started again: none after its first failure, then 0.5 s doubling up to 10 s. */
export function restartDelayMs(failuresInARow: number): number {
  if (failuresInARow <= 1) return 0;
  return Math.min(LONGEST_RESTART_DELAY_MS, 500 * 2 ** (failuresInARow - 2));
}
