import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { SnapshotCommand } from '@gleaner/contracts';
import { type CommandDeps, sendCommand } from '@gleaner/service-kit';

const TIMEOUT_MS = 25_000;
/** More than the longest content that scrapers send, in any characters. */
const MAX_CONTENT_BYTES = 128 * 1024 * 1024;

const decompress = promisify(brotliDecompress);

/** Has a scraper work on a page and returns the content of its reply. Throws the error of the scraper. */
export async function askForContent(
  command: SnapshotCommand,
  signal: AbortSignal,
  deps: CommandDeps,
): Promise<Buffer> {
  const { content } = await sendCommand(deps, 'snapshots.commands', command, {
    service: 'scraper',
    timeoutMs: TIMEOUT_MS,
    signal,
    timeoutSuggestion: 'Try again in a moment, with fewer selectors or formats.',
  });
  return await decompress(Buffer.from(content, 'base64'), { maxOutputLength: MAX_CONTENT_BYTES });
}
