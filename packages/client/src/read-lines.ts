import type { OpenResponse } from './caller.ts';
import { GleanerError } from './error.ts';

/** Longer than any result can be. */
const MAX_LINE_CHARACTERS = 64 * 1024 * 1024;

/** Reads the parts of a body as they arrive; each wait is bounded. Ends the response when the reader stops early. */
export async function* readChunks({ response, bound }: OpenResponse): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  try {
    while (reader) {
      bound.restart();
      const { done, value } = await reader.read();
      bound.pause();
      if (done) return;
      yield value;
    }
  } catch (cause) {
    if (bound.signal.aborted) throw bound.signal.reason;
    throw streamCut('The stream broke off before its end.', cause);
  } finally {
    bound.release();
    await reader?.cancel().catch(() => {});
  }
}

/** Reads the lines of a stream. A last line without its line feed is one that was cut. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest: string[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const parts = decoder.decode(chunk, { stream: true }).split('\n');
    const last = parts.pop() ?? '';
    for (const part of parts) {
      yield [...rest, part].join('').replace(/\r$/, '');
      rest = [];
      length = 0;
    }
    if (last) rest.push(last);
    length += last.length;
    if (length > MAX_LINE_CHARACTERS) throw streamCut('A line of the stream is too long.');
  }
  if (length > 0) throw streamCut('The stream ended in the middle of a line.');
}

/** Reads one value per line. */
export async function* readValues<Value>(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Value> {
  for await (const line of readLines(chunks)) {
    let value: Value;
    try {
      value = JSON.parse(line) as Value;
    } catch (cause) {
      throw streamCut('A line of the stream is not JSON.', cause);
    }
    yield value;
  }
}

/** Returns the error of a stream that is not whole. */
export function streamCut(message: string, cause?: unknown): GleanerError {
  const fields = {
    ...({ code: 'STREAM_CUT', source: 'client' } as const),
    suggestion: 'What arrived is complete up to there. Read the stream again from its start.',
  };
  return new GleanerError(message, fields, cause);
}
