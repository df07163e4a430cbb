import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { BodyRequest, FileResponse } from './responses.ts';

/** Parts of a request for sending a file. */
export interface FileRequest extends BodyRequest {
  /** Value of If-None-Match. */
  readonly knownTags: string | undefined;
  /** Value of If-Modified-Since, which counts only without If-None-Match. */
  readonly knownSince: string | undefined;
}

/**
 * Sends a file no faster than the client reads it, or 304 when the client has it (RFC 9110, sections 13.1.2 and 13.1.3). Only the
 * client may cache it, and must revalidate it at every use.
 */
export async function sendFile(
  response: ServerResponse,
  { contentType, bytes, version, modifiedAt, headers, open }: FileResponse,
  { method, knownTags, knownSince, signal }: FileRequest,
): Promise<void> {
  const tag = `"${version}"`;
  response.setHeader('ETag', tag);
  response.setHeader('Cache-Control', 'private, no-cache');
  if (modifiedAt) response.setHeader('Last-Modified', modifiedAt.toUTCString());
  if (knownTags === undefined ? isUnchanged(modifiedAt, knownSince) : isKnown(tag, knownTags)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  response.setHeader('Content-Type', contentType);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('Content-Length', bytes);
  if (method === 'HEAD') {
    response.end();
    return;
  }
  try {
    await pipeline(open(), response);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Returns whether nothing is newer than a date, in whole seconds as both headers have them. */
function isUnchanged(modifiedAt: Date | undefined, knownSince: string | undefined): boolean {
  if (!modifiedAt || knownSince === undefined) return false;
  return Math.floor(modifiedAt.getTime() / 1000) * 1000 <= Date.parse(knownSince);
}

function isKnown(tag: string, knownTags: string): boolean {
  const tags = knownTags.split(',').map((known) => known.trim().replace(/^W\//, ''));
  return tags.includes(tag) || tags.includes('*');
}
