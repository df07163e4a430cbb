import type { OpenResponse } from './caller.ts';
import { GleanerError } from './error.ts';
import { readChunks, streamCut } from './read-lines.ts';

/** A stream of lines that can be opened again in its middle. */
export interface ResumableStream {
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
