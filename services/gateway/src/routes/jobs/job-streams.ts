import { AppError } from '@gleaner/contracts';
import type { AccountPlaces } from '@gleaner/service-kit';
import type { ResultReader, Stores } from '@gleaner/storage';
import type { Caller } from '../../authentication.ts';

/** Stores with connections of their own for long responses about jobs, and the places that accounts share for these. */
export interface JobStreams {
  readonly pages: ResultReader['pages'] & Pick<Stores['pages'], 'findByKey'>;
  readonly results: ResultReader['results'];
  readonly places: Pick<AccountPlaces, 'take'>;
  /** Time that a call waits for a place. */
  readonly patienceMs: number;
}

/** Exports that one account may have at once at a gateway; there are two places more for others. */
export const STREAMS_PER_ACCOUNT = 3;
export const STREAM_PATIENCE_MS = 5000;

/**
 * Opens a stream once the caller's account has a place for it, and gives the place back when the stream has ended or the
 * client has gone. Throws RATE_LIMITED when the account has none for too long.
 */
export async function inPlace(
  { caller, signal }: { readonly caller: Caller; readonly signal: AbortSignal },
  { places, patienceMs }: Pick<JobStreams, 'places' | 'patienceMs'>,
  open: () => AsyncIterable<string>,
): Promise<AsyncIterable<string>> {
  const patience = AbortSignal.timeout(patienceMs);
  const place = await places
    .take(caller.account.id, AbortSignal.any([signal, patience]))
    .catch((error: unknown) => {
      throw signal.aborted || !patience.aborted ? error : tooMany();
    });
  const leave = () => place[Symbol.dispose]();
  // A stream that is never read does not reach its end.
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave, { once: true });
  return until(open(), leave);
}

async function* until(stream: AsyncIterable<string>, leave: () => void): AsyncGenerator<string> {
  try {
    yield* stream;
  } finally {
    leave();
  }
}

function tooMany(): AppError {
  return new AppError('RATE_LIMITED', {
    message: `Other exports and lists of URLs of the account are under way: ${STREAMS_PER_ACCOUNT} may be at once.`,
    suggestion: 'Read them to their end first, or try again in a few seconds.',
    retryAfterSeconds: STREAM_PATIENCE_MS / 1000,
  });
}
