import type { Cli } from '../cli.ts';
import { UsageError } from '../exit-codes.ts';
import { readText } from './read-text.ts';

/** Stands for the standard input, as a file or as a word. */
const STANDARD_INPUT = '-';

/**
 * Reads the URLs of a job: those given as words, then those of a file, one per line; `#` begins a comment line. `-` as a
 * word is the standard input as well.
 */
export async function readUrls(
  given: readonly string[],
  file: string | undefined,
  cli: Pick<Cli, 'terminal'>,
): Promise<string[]> {
  const source = given.includes(STANDARD_INPUT) ? STANDARD_INPUT : file;
  if (file !== undefined && file !== source) {
    throw new UsageError(
      `Both ${file} and the standard input were given.`,
      `Join them: cat ${file} - | gleaner job create -`,
    );
  }
  const words = given.filter((word) => word !== STANDARD_INPUT);
  const urls = [...words, ...(source === undefined ? [] : linesOf(await readText(source, cli)))];
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
