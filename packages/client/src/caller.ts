import { type Bound, startBound } from './bound.ts';
import { errorOf, GleanerError } from './error.ts';
import { OPERATIONS } from './generated/operations.ts';
import type { CallOptions, InputOf, OperationName, ResultOf } from './operation-types.ts';

/** Settings of a client. */
export interface ClientOptions {
  /** Address of the service, such as `http://127.0.0.1:8080`; it may have a path. */
  readonly url: string | URL;
  /** An API key, `gl_…`. Calls without one are for the health of the service. */
  readonly apiKey?: string | undefined;
  /** Bound on a call with its retries, and on every wait for more of a stream. Default 150000. */
  readonly timeoutMs?: number | undefined;
  /** Retries after the first attempt. Default 2. */
  readonly maxRetries?: number | undefined;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sends the requests. Default: the fetch of the platform. */
  readonly fetch?: typeof fetch | undefined;
}

/** A response whose body is still to be read, with the bound on each wait for it. */
export interface OpenResponse {
  readonly response: Response;
  readonly bound: Bound;
}

/** Sends calls to the service. */
export interface Caller {
  /** Returns the JSON of the response. */
  call<Name extends OperationName>(
    name: Name,
    input: InputOf<Name>,
    options?: CallOptions,
  ): Promise<ResultOf<Name>>;
  /** Returns the response as soon as its headers are there. The caller reads the body and releases the bound. */
  open<Name extends OperationName>(
    name: Name,
    input: InputOf<Name>,
    options?: CallOptions,
  ): Promise<OpenResponse>;
}

const TIMEOUT_MS = 150_000;
const MAX_RETRIES = 2;

/** Creates a caller. Throws INVALID_OPTION when the address or the key cannot be one. */
export function createCaller(settings: ClientOptions): Caller {
  const sender: Sender = {
    base: readUrl(settings.url),
    headers: new Headers({ ...settings.headers, ...authorization(settings.apiKey) }),
    send: settings.fetch ?? fetch,
  };
  const startOf = ({ timeoutMs, signal }: CallOptions) =>
    startBound(timeoutMs ?? settings.timeoutMs ?? TIMEOUT_MS, signal);
  const perform = <Result>(
    name: OperationName,
    input: UntypedInput,
    { maxRetries = settings.maxRetries ?? MAX_RETRIES }: CallOptions,
    bound: Bound,
    read: Read<Result>,
  ) => sendUntilAnswered(sender, prepare(sender, name, input), { bound, maxRetries }, read);
  return {
    async call(name, input, options = {}) {
      const bound = startOf(options);
      try {
        return await perform(name, input as UntypedInput, options, bound, readJson<ResultOf<typeof name>>);
      } finally {
        bound.release();
      }
    },
    async open(name, input, options = {}) {
      const bound = startOf(options);
      try {
        const response = await perform(name, input as UntypedInput, options, bound, async (each) => each);
        bound.pause();
        return { response, bound };
      } catch (error) {
        bound.release();
        throw error;
      }
    },
  };
}

/** Way to the service, with the headers of every request. */
interface Sender {
  readonly base: string;
  readonly headers: Headers;
  readonly send: typeof fetch;
}

/** A call as it is sent. */
interface Prepared {
  readonly target: string;
  readonly init: RequestInit;
  readonly repeatability: Repeatability;
}

type Read<Result> = (response: Response) => Promise<Result>;

function prepare(
  { base, headers }: Sender,
  name: OperationName,
  { path, query, body, headers: own }: UntypedInput,
): Prepared {
  const operation: Operation = OPERATIONS[name];
  const all = new Headers(headers);
  for (const [header, value] of Object.entries(own ?? {})) all.set(header, value);
  if (operation.isKeyed && !all.has('idempotency-key')) all.set('idempotency-key', crypto.randomUUID());
  if (body !== undefined) all.set('content-type', 'application/json');
  return {
    target: base + fillIn(operation.path, path) + searchOf(query),
    init: {
      method: operation.method,
      headers: all,
      redirect: 'manual',
      ...(body !== undefined && { body: JSON.stringify(body) }),
    },
    repeatability: repeatabilityOf(name, operation, body),
  };
}

/** Sends a call, again after an error that allows it, and reads the response. */
async function sendUntilAnswered<Result>(
  { base, send }: Sender,
  { target, init, repeatability }: Prepared,
  { bound, maxRetries }: { readonly bound: Bound; readonly maxRetries: number },
  read: Read<Result>,
): Promise<Result> {
  for (let retries = 0; ; retries += 1) {
    try {
      const response = await send(target, { ...init, signal: bound.signal });
      if (response.ok) return await read(response);
      // The first of two attempts may have deleted it and lost the answer.
      if (response.status === 404 && init.method === 'DELETE' && retries > 0) {
        return await read(new Response(null, { status: 204 }));
      }
      throw errorOf(response, await response.text());
    } catch (thrown) {
      if (bound.signal.aborted) throw bound.signal.reason;
      const error = thrown instanceof GleanerError ? thrown : connectionFailed(base, thrown);
      const { remainingMs } = bound;
      const random = Math.random();
      const delayMs = decideRetry({ error, repeatability, retries, maxRetries, remainingMs, random });
      if (delayMs === undefined) throw error;
      await bound.sleep(delayMs);
    }
  }
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly isKeyed?: boolean;
}

interface UntypedInput {
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

function readUrl(url: string | URL): string {
  const text = url.toString().trim();
  const { protocol, href, search, hash, username } = URL.canParse(text) ? new URL(text) : NO_URL;
  if (!/^https?:$/.test(protocol) || search || hash || username) {
    throw invalidOption(`url must be an http or https address such as http://127.0.0.1:8080, not ${text}.`);
  }
  return href.replace(/\/$/, '');
}

const NO_URL = { protocol: '', href: '', search: '', hash: '', username: '' };

function authorization(apiKey: string | undefined): Record<string, string> {
  // Keys come from files, which end with a line feed or two characters of one.
  const key = apiKey?.trim();
  if (!key) return {};
  if (!/^[\x21-\x7e]+$/.test(key))
    throw invalidOption('apiKey must be visible ASCII characters, such as gl_….');
  return { authorization: `Bearer ${key}` };
}

function invalidOption(message: string): GleanerError {
  return new GleanerError(message, { code: 'INVALID_OPTION', source: 'client' });
}

function fillIn(path: string, values: UntypedInput['path'] = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(values[name] ?? ''));
}

function searchOf(query: UntypedInput['query'] = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.append(name, String(value));
  }
  return search.size > 0 ? `?${search}` : '';
}

function repeatabilityOf(name: OperationName, { method, isKeyed }: Operation, body: unknown): Repeatability {
  // Its key holds for the job that it may create, not for the pages that it may scrape.
  if (name === 'search') return 'scrape';
  if (method === 'GET' || method === 'DELETE' || isKeyed || name === 'extract') return 'safe';
  const mayRepeat =
    name === 'map' || (name === 'scrape' && mayReachSiteTwice(body as InputOf<'scrape'>['body']));
  return mayRepeat ? 'scrape' : 'once';
}

/** Returns false for a scrape whose request has an effect: an error of something between may hide that it was sent. */
function mayReachSiteTwice({
  method = 'GET',
  body,
  json,
  form,
  repeatable,
}: InputOf<'scrape'>['body']): boolean {
  const isPlain =
    (method === 'GET' || method === 'HEAD') && body === undefined && json === undefined && !form;
  return isPlain || repeatable === true;
}

async function readJson<Result>(response: Response): Promise<Result> {
  const text = await response.text();
  if (text === '' && response.status === 204) return undefined as Result;
  try {
    return JSON.parse(text) as Result;
  } catch {
    throw errorOf(response, text);
  }
}

function connectionFailed(base: string, cause: unknown): GleanerError {
  const reason = systemCodeOf(cause) ?? (cause instanceof Error ? cause.message : String(cause));
  return new GleanerError(
    `The connection to ${base} failed (${reason}).`,
    {
      code: 'CONNECTION_FAILED',
      source: 'client',
      suggestion: 'Check that the service is running and that the URL is right.',
    },
    cause,
  );
}

/** Effect that a repeated call could have twice: none, a scrape, or any. */
type Repeatability = 'safe' | 'scrape' | 'once';

/** A call that failed. */
export interface FailedAttempt {
  readonly error: Pick<GleanerError, 'code' | 'source' | 'status' | 'retryAfterMs' | 'cause'>;
  readonly repeatability: Repeatability;
  /** Retries before this attempt. */
  readonly retries: number;
  readonly maxRetries: number;
  /** Time that is left for the whole call. */
  readonly remainingMs: number;
  /** A random number from 0 to 1. */
  readonly random: number;
}

const BASE_MS = 300;
const LONGEST_MS = 10_000;

/**
 * Returns the milliseconds to wait before the call is sent again; undefined when it must not be, or time does not allow it.
 * An error of the target is an answer, never retried.
 */
export function decideRetry(attempt: FailedAttempt): number | undefined {
  const { error, retries, maxRetries, remainingMs, random } = attempt;
  if (retries >= maxRetries || error.source === 'target' || !mayRepeat(attempt)) return undefined;
  const spreadMs = random * Math.min(LONGEST_MS, BASE_MS * 2 ** retries);
  const delayMs = (error.retryAfterMs ?? 0) + spreadMs;
  return delayMs < remainingMs ? delayMs : undefined;
}

function mayRepeat({ error, repeatability }: FailedAttempt): boolean {
  if (hasNotLeft(error)) return true;
  const passes = PASSING[repeatability];
  if (error.code === 'CONNECTION_FAILED') return passes.lostConnection;
  return error.status !== undefined && passes.statuses.includes(error.status);
}

/**
 * Errors after which a call may be sent again. A scrape rejected with 429 or 503 did not run. Other calls
 * that are not safe to repeat are repeated only after 429, the answer before any work is done.
 */
const PASSING: Readonly<Record<Repeatability, { lostConnection: boolean; statuses: readonly number[] }>> = {
  safe: { lostConnection: true, statuses: [429, 502, 503] },
  scrape: { lostConnection: false, statuses: [429, 503] },
  once: { lostConnection: false, statuses: [429] },
};

/** Returns true when no connection was made, so that the service cannot have seen the call. */
function hasNotLeft({ code, cause }: FailedAttempt['error']): boolean {
  return code === 'CONNECTION_FAILED' && NOT_CONNECTED.has(systemCodeOf(cause) ?? '');
}

const NOT_CONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
]);

/** Returns the code of the system error beneath the TypeError of fetch. */
export function systemCodeOf(error: unknown): string | undefined {
  for (let each = error, depth = 0; each instanceof Error && depth < 4; each = each.cause, depth += 1) {
    if ('code' in each && typeof each.code === 'string') return each.code;
    const [first] = each instanceof AggregateError ? each.errors : [];
    if (first) return systemCodeOf(first);
  }
  return undefined;
}
