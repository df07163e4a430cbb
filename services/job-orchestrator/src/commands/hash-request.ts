import { createHash } from 'node:crypto';

/** Hashes that tell whether a repeated Idempotency-Key comes with the same request. */
export interface RequestHashes {
  /** Stored with new jobs; the order of keys does not matter. */
  readonly canonical: string;
  /** The form that was stored before the canonical one; jobs may have it until their keys expire. */
  readonly asWritten: string;
}

/** Hashes a request both ways. */
export function hashesOf(request: unknown): RequestHashes {
  return {
    canonical: sha256(JSON.stringify(request, sortKeys)),
    asWritten: sha256(JSON.stringify(request)),
  };
}

/** Replacer of `JSON.stringify` that puts the keys of every object in one order. */
function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
