import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { ReadyMessage } from '../src/index.ts';

/** Exit code of a process, and its output. */
export interface End {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A service of `fixtures/` in its own process, forked as the stack forks the real ones. */
export interface ServiceProcess {
  readonly child: ChildProcess;
  readonly ready: Promise<ReadyMessage['ports']>;
  /** Waits for the first log line that contains the text; rejects when the process exits without it. */
  readonly logged: (text: string) => Promise<Readonly<Record<string, unknown>>>;
  /** Resolves when the process has exited and its output is closed. */
  readonly ended: Promise<End>;
}

const FIXTURES = {
  service: new URL('./fixtures/service.ts', import.meta.url),
  backends: new URL('./fixtures/backends.ts', import.meta.url),
  parent: new URL('./fixtures/parent.ts', import.meta.url),
  shared: new URL('./fixtures/shared.ts', import.meta.url),
};

const running = new Set<ChildProcess>();

/** Forks a fixture with only these variables, METRICS_PORT=0, and time to start on a busy machine. */
export function launch(
  env: Record<string, string> = {},
  args: string[] = [],
  fixture: keyof typeof FIXTURES = 'service',
): ServiceProcess {
  const child = fork(FIXTURES[fixture], args, {
    env: { METRICS_PORT: '0', STARTUP_TIMEOUT_MS: '240000', ...env },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  running.add(child);
  const output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => {
    output.stdout += chunk;
    child.emit('output');
  });
  child.stderr?.on('data', (chunk) => {
    output.stderr += chunk;
  });
  const ended = once(child, 'close').then(([code]): End => {
    running.delete(child);
    return { code, ...output };
  });
  const endedEarly = ended.then((end) => {
    throw new Error(`The service ended first: ${JSON.stringify(end)}`);
  });
  const logged = async (text: string) => {
    for (;;) {
      const line = output.stdout
        .split('\n')
        .slice(0, -1)
        .find((each) => each.includes(text));
      if (line !== undefined) return JSON.parse(line);
      await Promise.race([once(child, 'output'), endedEarly]);
    }
  };
  const ready = Promise.race([once(child, 'message').then(([message]) => message.ports), endedEarly]);
  for (const promise of [endedEarly, ready]) promise.catch(() => {});
  return { child, ready, logged, ended };
}

/** Starts a fixture and waits until it is ready. */
export async function startService(env: Record<string, string> = {}) {
  const service = launch(env);
  return { ...service, ports: await service.ready };
}

/** Starts a fixture that exits by itself, and waits for it. */
export function runToEnd(env: Record<string, string>, args: string[] = []): Promise<End> {
  return launch(env, args).ended;
}

/** Kills the processes that a test left running. */
export async function endServices(): Promise<void> {
  const closed = [...running].map((child) => once(child, 'close'));
  for (const child of running) child.kill('SIGKILL');
  await Promise.all(closed);
}
