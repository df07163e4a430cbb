import { AppError } from '@gleaner/contracts';
import QuickLRU from 'quick-lru';
import { explainFailure } from '../client/explain-failure.ts';
import { hostOf, portOf } from '../policy/create-egress-policy.ts';

/** Reasons why hosts could not be reached: a client of a proxy sees only a closed connection. */
export interface FailureLog {
  record(url: URL, thrown: unknown): void;
  /** Explains the last failure of the URL's host and port as a failure to fetch this URL. */
  failureOf(url: string): AppError | undefined;
}

const MAX_HOSTS = 1_000;

/** Creates an empty log, which passes every failure to `onFailure`; beyond its bound it drops those least recently used. */
export function createFailureLog(onFailure: (failure: AppError) => void): FailureLog {
  const causes = new QuickLRU<string, unknown>({ maxSize: MAX_HOSTS });
  return {
    record(url, thrown) {
      const { error } = explainFailure(thrown, url);
      causes.set(keyOf(url), thrown instanceof AppError ? thrown : error.cause);
      onFailure(error);
    },
    failureOf(text) {
      const url = URL.parse(text);
      if (url === null || !causes.has(keyOf(url))) return undefined;
      return explainFailure(causes.get(keyOf(url)), url).error;
    },
  };
}

function keyOf(url: URL): string {
  return `${hostOf(url)} ${portOf(url)}`;
}
