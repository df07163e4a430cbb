import type { ResultReader, Stores } from '@gleaner/storage';
import { type Applicant, type SharedPlaces, takePlace } from '../../admission/take-place.ts';

/** Stores with connections of their own for long responses about jobs and datasets, and the places that accounts share for these. */
export interface JobStreams extends SharedPlaces {
  readonly pages: ResultReader['pages'] & Pick<Stores['pages'], 'findByKey' | 'findByKeys'>;
  readonly results: ResultReader['results'];
  readonly changes: Pick<Stores['changes'], 'find'>;
  readonly datasets: Pick<Stores['datasets'], 'readFeed' | 'readTable'>;
}

/** Long responses about jobs that one account may have at once at a gateway; there are two places more for others. */
export const STREAMS_PER_ACCOUNT = 3;
export const STREAM_PATIENCE_MS = 5000;

/** Error of an account that has no place for a long response. */
export const TOO_MANY_STREAMS = {
  message: `Other exports, lists of URLs or changes, or states of jobs with their documents are under way: an account may have ${STREAMS_PER_ACCOUNT} at once.`,
  suggestion: 'Read them to their end first, or try again in a few seconds.',
};

/**
 * Opens a stream once the caller's account has a place for it, and gives the place back when the stream has ended or the
 * client has gone. Throws RATE_LIMITED when the account has none for too long, and the error of a stream that does not begin.
 */
export async function inPlace(
  call: Applicant,
  places: SharedPlaces,
  open: () => AsyncIterable<string | Uint8Array>,
): Promise<AsyncIterable<string | Uint8Array>> {
  const place = await takePlace(call, places, TOO_MANY_STREAMS);
  const { signal } = call;
  const leave = () => place[Symbol.dispose]();
  // A stream that is never read does not reach its end.
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave, { once: true });
  return await begun(until(open(), leave));
}

/** Waits for the first part of a stream: an error before it can still be answered, while a later one cuts the response. */
async function begun(
  stream: AsyncGenerator<string | Uint8Array>,
): Promise<AsyncIterable<string | Uint8Array>> {
  const first = await stream.next();
  return first.done ? stream : behind(first.value, stream);
}

async function* behind(
  first: string | Uint8Array,
  rest: AsyncIterable<string | Uint8Array>,
): AsyncGenerator<string | Uint8Array> {
  yield first;
  yield* rest;
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
