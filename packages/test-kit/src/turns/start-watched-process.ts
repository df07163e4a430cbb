import { fork } from 'node:child_process';
import { on, once } from 'node:events';
import { text } from 'node:stream/consumers';

/** A service of ours in a process of its own, whose event loop is watched. */
export interface WatchedProcess extends AsyncDisposable {
  readonly ports: Readonly<Record<string, number>>;
  /** Returns the longest turn of its event loop since the last call, in milliseconds of CPU time. */
  longestTurn(): Promise<number>;
  /** Returns the CPU time that a fixed piece of work takes in its main thread now, in milliseconds. */
  calibrate(): Promise<number>;
}

/** Starts the main file of a service with these variables only, and waits until it is ready; disposing kills it. */
export async function startWatchedProcess(
  main: URL,
  env: Readonly<Record<string, string>>,
): Promise<WatchedProcess> {
  const child = fork(main, [], {
    env: { METRICS_PORT: '0', LOG_LEVEL: 'warn', ...env },
    execArgv: ['--import', new URL('./watch-turns.ts', import.meta.url).href],
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  const closed = once(child, 'close');
  const errors = child.stderr ? text(child.stderr) : Promise.resolve('');
  const ended = closed.then(async ([code]) => {
    throw new Error(`The process ended with code ${code}: ${await errors}`);
  });
  ended.catch(() => {});
  const receive = async (type: string) => {
    for await (const [message] of on(child, 'message')) if (message.type === type) return message;
  };
  const { ports } = await Promise.race([receive('ready'), ended]);
  const ask = async (question: 'longest-turn' | 'calibrate'): Promise<number> => {
    const reply = receive(question);
    child.send(question);
    return (await Promise.race([reply, ended])).ms;
  };
  return {
    ports,
    longestTurn: () => ask('longest-turn'),
    calibrate: () => ask('calibrate'),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}
