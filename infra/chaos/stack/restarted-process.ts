import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Program and settings of the process. */
export interface ProcessDefinition {
  readonly name: string;
  readonly entry: string;
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** Target of signals: the process alone, or its whole group, whose other processes would outlive it. */
  readonly reach: 'process' | 'group';
}

const STOP_WITHIN_MS = 20_000;

/** A process that is restarted whenever it ends, until it is stopped. */
export class RestartedProcess {
  readonly name: string;
  readonly #definition: ProcessDefinition;
  readonly #log: WriteStream;
  #child: ChildProcess | undefined;
  #ready: Promise<unknown> = Promise.resolve();
  #downMs = 0;
  #isReady = false;
  #isStopping = false;
  #restarts = 0;

  constructor(definition: ProcessDefinition) {
    this.name = definition.name;
    this.#definition = definition;
    this.#log = createWriteStream(definition.logFile, { flags: 'a' });
  }

  /** The process that runs now, if any. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Number of times that it has ended and was started again. */
  get restarts(): number {
    return this.#restarts;
  }

  /** True once the running process has said that it is ready. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Resolves when the running process is ready or has ended. */
  get ready(): Promise<unknown> {
    return this.#ready;
  }

  /** Starts the process. Resolves with its ready message, or with its exit code. */
  async start(): Promise<unknown> {
    const { entry, env, reach } = this.#definition;
    const execArgv = ['--disable-warning=ExperimentalWarning'];
    const stdio: ('ignore' | 'pipe' | 'ipc')[] = ['ignore', 'pipe', 'pipe', 'ipc'];
    const child = fork(entry, [], {
      env: { ...process.env, ...env },
      execArgv,
      stdio,
      detached: reach === 'group',
    });
    this.#child = child;
    child.stdout?.pipe(this.#log, { end: false });
    child.stderr?.pipe(this.#log, { end: false });
    child.once('message', () => {
      this.#isReady = true;
    });
    child.once('exit', () => void this.#startAgain());
    const ready = Promise.race([once(child, 'message'), once(child, 'exit')]);
    this.#ready = ready;
    const [said] = await ready;
    return said;
  }

  /** Sends a signal, such as SIGSTOP or SIGCONT. */
  signal(name: NodeJS.Signals): void {
    const { pid } = this;
    if (pid === undefined) return;
    try {
      process.kill(this.#definition.reach === 'group' ? -pid : pid, name);
    } catch {
      // It has just ended.
    }
  }

  /** Kills it; it is restarted after a delay. */
  kill(downMs = 0): void {
    this.#downMs = downMs;
    this.signal('SIGKILL');
  }

  /** Stops it for good: asks first, then kills it after a short time. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const child = this.#child;
    if (child && child.exitCode === null && child.signalCode === null) {
      const exited = once(child, 'exit');
      const timer = setTimeout(() => this.signal('SIGKILL'), STOP_WITHIN_MS);
      this.signal('SIGCONT');
      this.signal('SIGTERM');
      await exited;
      clearTimeout(timer);
    }
    this.#log.end();
  }

  async #startAgain(): Promise<void> {
    this.#isReady = false;
    const downMs = this.#downMs;
    this.#downMs = 0;
    if (downMs > 0) await sleep(downMs);
    if (this.#isStopping) return;
    this.#restarts += 1;
    await this.start().catch(() => {});
  }
}
