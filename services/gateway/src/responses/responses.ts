import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** JSON response with headers of its own, and a status if that is not the one of the route. */
export class JsonWithHeaders<Body> {
  readonly body: Body;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number | undefined;

  constructor(body: Body, headers: Readonly<Record<string, string>>, status?: number) {
    this.body = body;
    this.headers = headers;
    this.status = status;
  }
}

/** JSON response that is text already, or its bytes; it is sent without parsing, so that a large one does not hold the event loop. */
export class JsonText {
  readonly text: string | Uint8Array;

  constructor(text: string | Uint8Array) {
    this.text = text;
  }
}

/** Parts of a body. */
type Chunks = AsyncIterable<string | Uint8Array>;

/** Response that is sent while it is made, and is never in memory as a whole. */
export class StreamedResponse {
  readonly headers: Readonly<Record<string, string>>;
  /** Called once, and not for HEAD. An error that it throws is answered; a later error cuts the response. */
  readonly open: () => Chunks | Promise<Chunks>;

  constructor(headers: Readonly<Record<string, string>>, open: StreamedResponse['open']) {
    this.headers = headers;
    this.open = open;
  }
}

/** Response of bytes that never change under their version. */
export class FileResponse {
  readonly contentType: string;
  readonly bytes: number;
  /** Unique among all contents that are ever served at the path. */
  readonly version: string;
  /** Time of its newest part, where it has several. */
  readonly modifiedAt: Date | undefined;
  /** Further headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** Called only when the content is sent. An error cuts the response. */
  readonly open: () => Readable;

  constructor({
    headers = {},
    ...file
  }: Pick<FileResponse, 'contentType' | 'bytes' | 'version' | 'open'> &
    Partial<Pick<FileResponse, 'headers' | 'modifiedAt'>>) {
    this.contentType = file.contentType;
    this.bytes = file.bytes;
    this.version = file.version;
    this.modifiedAt = file.modifiedAt;
    this.headers = headers;
    this.open = file.open;
  }
}

/** Response without a body. */
export class EmptyResponse {
  readonly status: number;

  constructor(status: number) {
    this.status = status;
  }
}

/** Sends a JSON body; headers that were set before are sent with it. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = body instanceof JsonText ? body.text : JSON.stringify(body);
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}

/** Parts of a request for sending a body. */
export interface BodyRequest {
  readonly method: string;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Sends a streamed response no faster than the client reads it; a client that disconnects ends it without an error. */
export async function sendStream(
  response: ServerResponse,
  status: number,
  { headers, open }: StreamedResponse,
  { method, signal }: BodyRequest,
): Promise<void> {
  const chunks = method === 'HEAD' ? [] : inPieces(await open());
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  // Proxies that buffer responses would hold events back.
  response.setHeader('X-Accel-Buffering', 'no');
  try {
    await pipeline(Readable.from(chunks, { objectMode: true, highWaterMark: 4 }), response);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Characters, or bytes, that are encoded and sent in one turn of the event loop. */
const MAX_PIECE = 128 * 1024;

/** Yields a body in pieces between which other calls get their turn. */
async function* inPieces(chunks: Chunks): Chunks {
  let sent = 0;
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; ) {
      let end = Math.min(start + MAX_PIECE, chunk.length);
      // A pair of surrogates is one character.
      if (typeof chunk === 'string' && end < chunk.length && /[\ud800-\udbff]/.test(chunk.charAt(end - 1)))
        end += 1;
      yield chunk.slice(start, end);
      sent += end - start;
      start = end;
      if (sent < MAX_PIECE) continue;
      await nextTurn();
      sent = 0;
    }
  }
}
