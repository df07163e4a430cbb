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

function streamCut(message: string, cause?: unknown): GleanerError {
  const fields = {
    ...({ code: 'STREAM_CUT', source: 'client' } as const),
    suggestion: 'What arrived is complete up to there. Read the stream again from its start.',
  };
  return new GleanerError(message, fields, cause);
}

/** A stream of lines that can be opened again in its middle. */
interface ResumableStream {
  /** Opens the stream after this many lines. */
  open(lines: number): Promise<OpenResponse>;
  /** Returns true when a stream that was opened again goes on as this one would have. */
  isStable(response: Response): Promise<boolean>;
}

/** Streams in a row that break off before they bring a whole line. */
const MAX_FRUITLESS = 2;
const LINE_FEED = 10;

/** Reads the bytes of a stream of lines. Where it breaks off, it is opened again, and goes on with the byte that is missing. */
export async function* resumeLines({ open, isStable }: ResumableStream): AsyncGenerator<Uint8Array> {
  let lines = 0;
  // Bytes of the last line, which has not ended.
  let begun = 0;
  let fruitless = 0;
  for (;;) {
    const opened = await open(lines);
    const linesBefore = lines;
    let known = begun;
    try {
      for await (const chunk of readChunks(opened)) {
        const fresh = chunk.subarray(Math.min(known, chunk.length));
        known -= chunk.length - fresh.length;
        if (fresh.length === 0) continue;
        const last = fresh.lastIndexOf(LINE_FEED);
        begun = last === -1 ? begun + fresh.length : fresh.length - last - 1;
        lines += countLines(fresh);
        yield fresh;
      }
      if (begun === 0) return;
      throw streamCut('The stream ended in the middle of a line.');
    } catch (error) {
      fruitless = lines > linesBefore ? 0 : fruitless + 1;
      const isCut = error instanceof GleanerError && error.code === 'STREAM_CUT';
      if (!isCut || fruitless > MAX_FRUITLESS || !(await isStable(opened.response))) throw error;
    }
  }
}

function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) count += 1;
  return count;
}

/** Joins chunks of bytes to one. */
export function joinBytes(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    joined.set(chunk, offset);
    offset += chunk.length;
  }
  return joined;
}
