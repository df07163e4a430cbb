import { AppError } from '@gleaner/contracts';
import { explainFailure } from '../fetch/explain-failure.ts';
import { hostOf, portOf } from '../policy/create-egress-policy.ts';

/** Remembers why hosts could not be reached: a client of a proxy sees no more than a closed connection. */
export interface FailureLog {
  note(url: URL, thrown: unknown): void;
  /** The last failure of the URL's host and port. */
  of(url: string): AppError | undefined;
}

const MAX_REMEMBERED = 1_000;

/** An empty log, which tells of every entry; the oldest go first when it is full. */
export function createFailureLog(tell: (failure: AppError) => void): FailureLog {
  const failures = new Map<string, AppError>();
  return {
    note(url, thrown) {
      const key = keyOf(url);
      failures.delete(key);
      const failure = thrown instanceof AppError ? thrown : explainFailure(thrown, url).error;
      failures.set(key, failure);
      tell(failure);
      const [oldest] = failures.keys();
      if (oldest !== undefined && failures.size > MAX_REMEMBERED) failures.delete(oldest);
    },
    of: (url) => (URL.canParse(url) ? failures.get(keyOf(new URL(url))) : undefined),
  };
}

function keyOf(url: URL): string {
  return `${hostOf(url)} ${portOf(url)}`;
}
