import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { FileAnswer } from './routes/answers.ts';

/** What of a request decides how a file is sent. */
export interface FileRequest {
  readonly method: string;
  /** The header If-None-Match. */
  readonly knownTags: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Sends a file, no faster than it is read, or 304 to whoever has it (RFC 9110, section 13.1.2). Only the caller may keep it,
 * and must ask each time whether it still may have it.
 */
export async function sendFile(
  response: ServerResponse,
  { contentType, bytes, version, open }: FileAnswer,
  { method, knownTags, signal }: FileRequest,
): Promise<void> {
  const tag = `"${version}"`;
  response.setHeader('ETag', tag);
  response.setHeader('Cache-Control', 'private, no-cache');
  if (isKnown(tag, knownTags)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  response.setHeader('Content-Type', contentType);
  response.setHeader('Content-Length', bytes);
  if (method === 'HEAD') {
    response.end();
    return;
  }
  try {
    await pipeline(open(), response);
  } catch (fault) {
    if (!signal.aborted) throw fault;
  }
}

function isKnown(tag: string, knownTags = ''): boolean {
  const tags = knownTags.split(',').map((known) => known.trim().replace(/^W\//, ''));
  return tags.includes(tag) || tags.includes('*');
}
