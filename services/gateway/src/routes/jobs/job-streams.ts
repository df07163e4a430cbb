import type { ResultReader, Stores } from '@gleaner/storage';
import { type Applicant, type SharedPlaces, takePlace } from '../../admission/take-place.ts';

/** Stores with connections of their own for long responses about jobs, and the places that accounts share for these. */
export interface JobStreams extends SharedPlaces {
  readonly pages: ResultReader['pages'] & Pick<Stores['pages'], 'findByKey'>;
  readonly results: ResultReader['results'];
  readonly changes: Pick<Stores['changes'], 'find'>;
}

/** Long responses about jobs that one account may have at once at a gateway; there are two places more for others. */
export const STREAMS_PER_ACCOUNT = 3;
export const STREAM_PATIENCE_MS = 5000;

const TOO_MANY = {
  message: `Other exports and lists of URLs or changes of the account are under way: ${STREAMS_PER_ACCOUNT} may be at once.`,
  suggestion: 'Read them to their end first, or try again in a few seconds.',
};

/**
 * Opens a stream once the caller's account has a place for it, and gives the place back when the stream has ended or the
 * client has gone. Throws RATE_LIMITED when the account has none for too long.
 */
export async function inPlace(
  call: Applicant,
  places: SharedPlaces,
  open: () => AsyncIterable<string | Uint8Array>,
): Promise<AsyncIterable<string | Uint8Array>> {
  const place = await takePlace(call, places, TOO_MANY);
  const { signal } = call;
  const leave = () => place[Symbol.dispose]();
  // A stream that is never read does not reach its end.
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave, { once: true });
  return until(open(), leave);
}

async function* until(
  stream: AsyncIterable<string | Uint8Array>,
  leave: () => void,
): AsyncGenerator<string | Uint8Array> {
  try {
    yield* stream;
  } finally {
    leave();
  }
}
