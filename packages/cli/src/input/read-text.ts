import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import type { Cli } from '../cli.ts';
import { UsageError } from '../exit-codes.ts';

/** Reads a file, or the standard input for `-`. A byte order mark is left out. */
export async function readText(source: string, { terminal }: Pick<Cli, 'terminal'>): Promise<string> {
  const content = source === '-' ? await text(terminal.stdin) : readFile(source);
  return content.replace(/^\uFEFF/, '');
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `${path} could not be read (${code ?? message}).`,
      'Check the path; - reads the standard input.',
    );
  }
}
