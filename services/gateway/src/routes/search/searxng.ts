import { AppError, cutText, defined, LIMITS, type SearchRequest } from '@gleaner/contracts';
import { createEgressPolicy, createHttpClient, type FetchedPage } from '@gleaner/egress';
import { parseJsonObject } from '../../body/parse-json-object.ts';

/** A page of results as SearXNG sent it, unchecked. */
export interface SearxngAnswer {
  readonly records: readonly unknown[];
  /** Engines without an answer, each with the reason. */
  readonly unresponsive: readonly (readonly [engine: string, reason: string])[];
}

/** Categories of SearXNG besides the web. */
export type SearchCategory = 'news' | 'images';

/** A page of results to ask for. */
export interface SearxngQuestion extends Pick<SearchRequest, 'query' | 'time' | 'lang' | 'site'> {
  /** A category of SearXNG besides the web. */
  readonly category?: SearchCategory | undefined;
  /** Counted from 1. */
  readonly page: number;
}

/** Bound of one question. */
export interface SearchBound {
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** The SearXNG of the operator. */
export interface Searxng {
  /** Returns a page of results. Throws SEARCH_FAILED, SEARCH_MISCONFIGURED, or the reason of the signal. */
  ask(question: SearxngQuestion, bound: SearchBound): Promise<SearxngAnswer>;
  close(): void;
}

/** Connects to SearXNG at an address that the operator has set: it may be private, unlike those of results. */
export function createSearxng(searchUrl: string): Searxng {
  const { username, password, host, protocol, pathname } = new URL(searchUrl);
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization =
    credentials === ':' ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
  const headers = { accept: 'application/json', ...defined({ authorization }) };
  const base = `${protocol}//${host}${pathname.replace(/\/(?:search\/?)?$/, '')}`;
  const client = createHttpClient({
    policy: createEgressPolicy({ allow: [host] }),
    redirects: 'answer',
    maxBodyBytes: LIMITS.maxSearchBytes,
    maxAttempts: 1,
  });
  return {
    async ask(question, { deadlineMs, signal }) {
      const url = `${base}/search?${parametersOf(question)}`;
      const page = await client.fetchPage({ url, headers, deadlineMs }, signal).catch((error: unknown) => {
        throw signal.aborted ? error : noAnswer(error);
      });
      return await readAnswer(page);
    },
    close: () => client.close(),
  };
}

/** Returns the parameters of https://docs.searxng.org/dev/search_api.html. */
function parametersOf({ query, time, lang, site, category, page }: SearxngQuestion): URLSearchParams {
  return new URLSearchParams({
    q: site === undefined ? query : `${query} site:${site}`,
    format: 'json',
    ...defined({ time_range: time, language: lang, categories: category }),
    ...(page > 1 && { pageno: `${page}` }),
  });
}

/** Errors of exchanges without an answer; the address of SearXNG is not shown. */
const NO_ANSWER: Readonly<Record<string, string>> = {
  TIMEOUT: `SearXNG did not answer within ${LIMITS.searchTimeoutMs} ms.`,
  UNSUPPORTED_CONTENT: `SearXNG answered with more than ${LIMITS.maxSearchBytes} bytes.`,
};

function noAnswer(cause: unknown): AppError {
  const code = cause instanceof AppError ? cause.code : '';
  return new AppError('SEARCH_FAILED', { message: NO_ANSWER[code] ?? 'SearXNG cannot be reached.', cause });
}

/** Returns the results in an answer. Throws SEARCH_FAILED, and SEARCH_MISCONFIGURED for what only the operator can mend. */
async function readAnswer({ statusCode, body }: FetchedPage): Promise<SearxngAnswer> {
  const status = statusCode >= 300 && statusCode < 400 ? 300 : statusCode;
  if (status !== 200) throw badStatus(statusCode, STATUSES[status]);
  if (/^\s*</.test(body.toString('latin1', 0, 100))) throw notSearxng();
  const { results, unresponsive_engines: engines } = await parseJsonObject(body).then(
    (value) => value as { readonly results?: unknown; readonly unresponsive_engines?: unknown },
    (cause: unknown) => {
      const message = 'SearXNG answered with JSON that is malformed or too large.';
      throw new AppError('SEARCH_FAILED', { message, cause });
    },
  );
  if (!Array.isArray(results)) throw notSearxng();
  return {
    records: results.slice(0, MAX_RECORDS),
    unresponsive: Array.isArray(engines) ? engines.slice(0, MAX_ENGINES).flatMap(engineOf) : [],
  };
}

/** SearXNG sends fewer. */
const MAX_RECORDS = 200;
const MAX_ENGINES = 100;
const MAX_NAME = 100;

function engineOf(entry: unknown): [engine: string, reason: string][] {
  const [engine, reason] = Array.isArray(entry) ? entry : [];
  if (typeof engine !== 'string') return [];
  return [[cutText(engine, MAX_NAME), typeof reason === 'string' ? cutText(reason, MAX_NAME) : 'no answer']];
}

interface StatusError {
  readonly code: 'SEARCH_FAILED' | 'SEARCH_MISCONFIGURED';
  readonly message: string;
  readonly suggestion?: string;
}

/** Errors by status; 300 stands for every redirect. */
const STATUSES: Readonly<Record<number, StatusError>> = {
  300: {
    code: 'SEARCH_MISCONFIGURED',
    message: 'SearXNG redirects to another address.',
    suggestion: 'Ask the operator of this service to set SEARCH_URL to the address that it redirects to.',
  },
  401: {
    code: 'SEARCH_MISCONFIGURED',
    message: 'SearXNG asks for a user name and a password.',
    suggestion: 'Ask the operator of this service to write them into SEARCH_URL: http://user:password@…',
  },
  403: { code: 'SEARCH_MISCONFIGURED', message: 'SearXNG refuses to answer in JSON.' },
  404: { code: 'SEARCH_MISCONFIGURED', message: 'There is no /search at SEARCH_URL.' },
  429: {
    code: 'SEARCH_FAILED',
    message: 'SearXNG refuses more searches (429).',
    suggestion:
      'Wait a while. If you operate this installation, set server.limiter to false in the settings.yml of SearXNG, which is for public instances.',
  },
};

function badStatus(statusCode: number, known?: StatusError): AppError {
  const { code, ...error } = known ?? {
    code: 'SEARCH_FAILED' as const,
    message: `SearXNG answered with ${statusCode}.`,
  };
  return new AppError(code, error);
}

function notSearxng(): AppError {
  return new AppError('SEARCH_MISCONFIGURED', {
    message: 'What answers at SEARCH_URL sends something else than results in JSON.',
  });
}
