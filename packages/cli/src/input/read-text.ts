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

/** Reads a JSON file, or the standard input for `-`. The example is shown when it is not JSON. */
export async function readJson(file: string, example: string, cli: Pick<Cli, 'terminal'>): Promise<unknown> {
  return parseJson(await readText(file, cli), file, example);
}

/** Reads an object from a JSON file, or from the standard input for `-`. The example is shown when it is not one. */
export async function readJsonObject(
  file: string,
  example: string,
  cli: Pick<Cli, 'terminal'>,
): Promise<Readonly<Record<string, unknown>>> {
  return requireObject(await readJson(file, example, cli), file, example);
}

function parseJson(text: string, file: string, example: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${placeOf(file)} is not JSON: ${(error as Error).message}.`, example);
  }
}

function requireObject(value: unknown, file: string, example: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new UsageError(`${placeOf(file)} is not a JSON object.`, example);
}

function placeOf(file: string): string {
  return file === '-' ? 'The standard input' : file;
}
