import type { MakeRoom } from './http-client.ts';
import { readBeginning } from './read-beginning.ts';
import { readBody } from './read-body.ts';
import type { Semaphore } from './semaphore.ts';
import type { Answer } from './send-request.ts';

/** What the reading of a body works with. */
export interface ReadScope {
  readonly limits: { readonly maxBytes: number; readonly longBodies: 'refuse' | 'cut' };
  readonly makeRoom: MakeRoom | undefined;
  readonly decoding: Semaphore;
  readonly signal: AbortSignal;
  readonly remainingMs: () => number;
}

/** How much of a failure's body is read: enough to tell a wall by, which may stand there under any status. */
export const FAILURE_BYTES = 65_536;
const FAILURE_WAIT_MS = 3_000;
/** For a client to whom all that matters has been said by the status. */
const CUT_WAIT_MS = 500;

/**
 * What is wanted of an answer's body: all of it (`readBody`), or where its status is that of a failure its beginning
 * (`readBeginning`), so that no fault of the body takes the place of the status. Half of the time that is left is the most
 * that a beginning is waited for: somebody has to be told of the status.
 */
export function readWanted({ statusCode, body, headers }: Answer, scope: ReadScope): Promise<Buffer> {
  const { limits, remainingMs } = scope;
  const readUpTo = (maxBytes: number, maxWaitMs: number) =>
    readBeginning(body, headers, {
      ...scope,
      maxBytes: Math.min(maxBytes, limits.maxBytes),
      maxWaitMs: Math.max(0, Math.min(maxWaitMs, Math.floor(remainingMs() / 2))),
    });
  if (limits.longBodies === 'cut') return readUpTo(limits.maxBytes, CUT_WAIT_MS);
  if (statusCode < 200 || statusCode >= 300) return readUpTo(FAILURE_BYTES, FAILURE_WAIT_MS);
  return readBody(body, headers, { ...scope, maxBytes: limits.maxBytes });
}
