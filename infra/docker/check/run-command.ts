import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

/** Options of a command. */
export interface CommandOptions {
  /** File that gets all its output. */
  readonly logFile: string;
  readonly signal: AbortSignal;
}

/** Runs a command to its end, and returns its standard output. Throws with the last lines of its output when it fails. */
export async function runCommand(
  command: string,
  args: readonly string[],
  { logFile, signal }: CommandOptions,
): Promise<string> {
  const log = createWriteStream(logFile, { flags: 'a' });
  log.write(`$ ${command} ${args.join(' ')}\n`);
  const child = spawn(command, args, { signal, stdio: ['ignore', 'pipe', 'pipe'] });
  const [outputs, all]: string[][] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => outputs?.push(chunk.toString()));
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      all?.push(chunk.toString());
      log.write(chunk);
    });
  }
  const [code] = await once(child, 'close');
  log.end();
  if (code === 0) return (outputs ?? []).join('').trim();
  const tail = (all ?? []).join('').trim().split('\n').slice(-15).join('\n');
  throw new Error(`${command} ${args[0]} failed (${code}):\n${tail}\nSee ${logFile}.`);
}
