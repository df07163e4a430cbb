import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Measured, Workload } from '../workload.ts';

/** A program that does the work and appends the data to a file as JSON lines `{page, data}`. */
export interface RivalCommand {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly outputFile: string;
}

/** Runs the program on the work. Throws with its output when it fails. */
export async function measureRival(rival: RivalCommand, { pages }: Workload): Promise<Measured> {
  const { name, command, args, outputFile } = rival;
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  const complaints: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${name} failed: ${Buffer.concat(complaints).toString().slice(-2000)}`);
  const lastLine = Buffer.concat(output).toString().trimEnd().split('\n').at(-1) ?? '';
  const { cpuMs, seconds, peakBytes } = JSON.parse(lastLine);
  return {
    cpuMs: new Map([['one process', cpuMs / pages]]),
    peakBytes: new Map([['one process', peakBytes]]),
    pagesPerSecond: pages / seconds,
    values: await readOutput(outputFile),
  };
}

async function readOutput(file: string): Promise<unknown[]> {
  const values: unknown[] = [];
  for (const line of (await readFile(file, 'utf8')).trimEnd().split('\n')) {
    const { page, data } = JSON.parse(line);
    values[page] = data;
  }
  return values;
}
