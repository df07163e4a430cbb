import { fork } from 'node:child_process';
import { on, once } from 'node:events';
import { text } from 'node:stream/consumers';

/** A service of ours in a process of its own, whose event loop is watched. */
export interface WatchedProcess extends AsyncDisposable {
  readonly ports: Readonly<Record<string, number>>;
  /** Returns the longest turn of its event loop since the last call, in milliseconds of CPU time. */
  longestTurn(): Promise<number>;
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
  return {
    ports,
    async longestTurn() {
      const reply = receive('longest-turn');
      child.send('longest-turn');
      return (await Promise.race([reply, ended])).ms;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}
