import type { Cli } from '../cli.ts';
import { UsageError } from '../exit-codes.ts';
import { readText } from './read-text.ts';

/** URLs that a job takes. */
const MAX_URLS = 10_000;

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
  if (urls.length > MAX_URLS) {
    throw new UsageError(
      `${urls.length.toLocaleString('en-US')} URLs were given; a job takes at most ${MAX_URLS.toLocaleString('en-US')}.`,
      `Divide the list: split -l ${MAX_URLS} urls.txt part-; for part in part-*; do gleaner job create --urls-file $part; done`,
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
