import type { HttpResponse } from '../http/http-stack.ts';
import { readBeginning } from './read-beginning.ts';
import type { MakeRoom } from './read-body.ts';
import { readBody } from './read-body.ts';
import type { Semaphore } from './semaphore.ts';

/**
 * Treatment of a body over the cap: it is refused, or its beginning is kept (`truncate`). With `cut`, no more of any body is
 * read than what arrives at once, for a client that needs only the status.
 */
export type LongBodies = 'refuse' | 'truncate' | 'cut';

/** Limits and collaborators for reading a body. */
export interface ReadScope {
  readonly limits: {
    readonly maxBytes: number;
    readonly longBodies: LongBodies;
    readonly unpacksGzip: boolean;
  };
  readonly makeRoom: MakeRoom | undefined;
  readonly decoding: Semaphore;
  readonly signal: AbortSignal;
  readonly remainingMs: () => number;
}

/** Bytes read of an error's body: enough to recognize an anti-bot wall, which may come with any status. */
export const FAILURE_BYTES = 65_536;
const FAILURE_WAIT_MS = 3_000;
/** For a client that needs only the status and the beginning of the body. */
const CUT_WAIT_MS = 500;

/**
 * Reads the whole body of a response (`readBody`), or for an error status only its beginning (`readBeginning`), so that no
 * error of the body hides the status. Waits for a beginning at most half of the remaining time, so that the status can
 * still be reported.
 */
export function readResponseBody(
  { statusCode, body, headers }: HttpResponse,
  scope: ReadScope,
): Promise<Buffer> {
  const { limits, remainingMs } = scope;
  const readUpTo = (maxBytes: number, maxWaitMs: number) =>
    readBeginning(body, headers, {
      ...scope,
      maxBytes: Math.min(maxBytes, limits.maxBytes),
      maxWaitMs: Math.max(0, Math.min(maxWaitMs, Math.floor(remainingMs() / 2))),
    });
  const { longBodies, ...rest } = limits;
  if (longBodies === 'cut') return readUpTo(limits.maxBytes, CUT_WAIT_MS);
  if (statusCode < 200 || statusCode >= 300) return readUpTo(FAILURE_BYTES, FAILURE_WAIT_MS);
  return readBody(body, headers, { ...scope, ...rest, longBodies });
}
