import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { RequestBody } from '@gleaner/contracts';
import { type CommandDeps, sendCommand } from '@gleaner/service-kit';

/** Time for a task without a model. */
export const CONTENT_MS = 25_000;
/** More than the longest content that scrapers send, in any characters. */
const MAX_CONTENT_BYTES = 128 * 1024 * 1024;

const decompress = promisify(brotliDecompress);

/** Content of the reply of a scraper, and what a model has cost for it. */
export interface Content {
  readonly content: Buffer;
  readonly credits: number;
}

/** Has a scraper work on a page or a file and returns the content of its reply. Throws the error of the scraper. */
export async function askForContent(
  command: RequestBody<'snapshots.commands'>,
  signal: AbortSignal,
  deps: CommandDeps,
): Promise<Buffer> {
  return (await askWithin(CONTENT_MS, command, signal, deps)).content;
}

/** Does the same within a time. */
export async function askWithin(
  timeoutMs: number,
  command: RequestBody<'snapshots.commands'>,
  signal: AbortSignal,
  deps: CommandDeps,
): Promise<Content> {
  const { content, credits = 0 } = await sendCommand(deps, 'snapshots.commands', command, {
    service: 'scraper',
    timeoutMs,
    signal,
    timeoutSuggestion: 'Try again in a moment, with fewer selectors or formats.',
  });
  const bytes = await decompress(Buffer.from(content, 'base64'), { maxOutputLength: MAX_CONTENT_BYTES });
  return { content: bytes, credits };
}
