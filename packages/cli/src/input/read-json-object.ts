import type { Cli } from '../cli.ts';
import { UsageError } from '../exit-codes.ts';
import { readText } from './read-text.ts';

/** Reads an object from a JSON file, or from the standard input for `-`. The example is shown when it is not one. */
export async function readJsonObject(
  file: string,
  example: string,
  cli: Pick<Cli, 'terminal'>,
): Promise<Readonly<Record<string, unknown>>> {
  const text = await readText(file, cli);
  const place = file === '-' ? 'The standard input' : file;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${place} is not JSON: ${(error as Error).message}.`, example);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new UsageError(`${place} is not a JSON object.`, example);
}
