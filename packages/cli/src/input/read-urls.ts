import type { Cli } from '../cli.ts';
import { UsageError } from '../exit-codes.ts';
import { readText } from './read-text.ts';

/** Reads the URLs of a job: those given as words, then those of a file, one per line; `#` begins a comment line. */
export async function readUrls(
  given: readonly string[],
  file: string | undefined,
  cli: Pick<Cli, 'terminal'>,
): Promise<string[]> {
  const urls = [...given, ...(file === undefined ? [] : linesOf(await readText(file, cli)))];
  if (urls.length === 0) {
    throw new UsageError(
      'No URLs were given.',
      'Name them, or a file of them with --urls-file (- is the standard input).',
    );
  }
  return urls;
}

/** Windows ends lines with two characters. */
function linesOf(text: string): string[] {
  return text
    .split(/\r\n|[\r\n]/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}
