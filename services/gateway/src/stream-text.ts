import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { StreamedAnswer } from './routes/answers.ts';

/** Sends an answer piece by piece, no faster than it is read; a caller who leaves ends it quietly. */
export async function streamText(
  response: ServerResponse,
  status: number,
  { contentType, chunks }: StreamedAnswer,
  signal: AbortSignal,
): Promise<void> {
  response.statusCode = status;
  response.setHeader('Content-Type', contentType);
  // Proxies that gather an answer before they pass it on would hold events back.
  response.setHeader('X-Accel-Buffering', 'no');
  try {
    await pipeline(Readable.from(chunks, { objectMode: true, highWaterMark: 4 }), response);
  } catch (fault) {
    if (!signal.aborted) throw fault;
  }
}
