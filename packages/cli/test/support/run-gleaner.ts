import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const MAIN = join(import.meta.dirname, '../../src/main.ts');
export const GLEANER = [process.execPath, '--disable-warning=ExperimentalWarning', MAIN] as const;

/** Outcome of a command. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Surroundings of a command. */
export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: string;
}

/** Runs the command with nothing of this machine's settings, and returns what it wrote. */
export async function runGleaner(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const [program, ...flags] = GLEANER;
  return await run(program, [...flags, ...args], options);
}

/** Runs the command on a pseudo-terminal of 100 columns. Both streams come as one, with the line ends of a terminal. */
export async function runOnTerminal(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const command = [...GLEANER, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  const { code, stdout, stderr } = await run(
    'script',
    ['-qec', `stty cols 100; ${command}`, '/dev/null'],
    options,
  );
  return { code, stdout: stdout.replaceAll('\r\n', '\n'), stderr };
}

/** Runs a program and returns what it wrote. */
export async function run(
  program: string,
  args: readonly string[],
  { env = {}, cwd = '/', input = '' }: RunOptions = {},
): Promise<Ended> {
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: '/nonexistent', TERM: 'xterm', NO_COLOR: '1', ...env },
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((done) => child.on('close', done)),
  ]);
  return { code, stdout, stderr };
}
