import { isDeepStrictEqual } from 'node:util';
import { type Gleaner, GleanerError, type ScrapeRequest, withScheme } from '@gleaner/client';
import { CommandError } from '../exit-codes.ts';

/** One page of the range: the expected answer, the actual one, and whether they agree. */
export interface RangeRow {
  readonly path: string;
  /** Options of the scrape besides its URL. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly expected: string;
  readonly got: string;
  readonly right: boolean;
}

interface RangeCase {
  readonly url: string;
  readonly path: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly expect: Expectation;
}

/** An error code, or parts of a result. */
interface Expectation {
  readonly error?: string;
  readonly verdict?: string;
  readonly basis?: string;
  /** Code that the signals contain. */
  readonly signal?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Part of an answer that an expectation is compared with. */
interface Answer extends Omit<Expectation, 'signal'> {
  readonly signals: readonly string[];
}

const WITHIN_MS = 10_000;
const MAX_CASES = 1000;
const MAX_BYTES = 1024 ** 2;
const AT_ONCE = 4;
/** Errors that say nothing about the page: every other scrape would fail with them, too. */
const FATAL: ReadonlySet<string> = new Set([
  'CONNECTION_FAILED',
  'FORBIDDEN',
  'INSUFFICIENT_CREDITS',
  'UNAUTHORIZED',
]);

/** Scrapes every page that the range at this address lists, some at once, and yields the rows in its order. */
export async function* runRange(
  gleaner: Gleaner,
  address: string,
  signal: AbortSignal,
): AsyncGenerator<RangeRow> {
  const cases = await readCases(withScheme(address), signal);
  const stopping = new AbortController();
  const either = AbortSignal.any([signal, stopping.signal]);
  const running: Promise<RangeRow>[] = [];
  try {
    for (const [index] of cases.entries()) {
      for (const each of cases.slice(index + running.length, index + AT_ONCE)) {
        const row = scrapeCase(gleaner, each, either);
        // Awaited in its turn, which may be after it has failed.
        row.catch(() => {});
        running.push(row);
      }
      const next = running.shift();
      if (next) yield await next;
    }
  } finally {
    stopping.abort();
  }
}

async function scrapeCase(gleaner: Gleaner, each: RangeCase, signal: AbortSignal): Promise<RangeRow> {
  const { url, path, options, expect } = each;
  const answer = await ask(gleaner, { ...options, url }, signal);
  const right = isRight(answer, expect);
  const got = describe({ ...answer, signal: answer.signals.join() }, expect);
  return { path, options, expected: describe(expect, expect), got, right };
}

async function ask(gleaner: Gleaner, request: ScrapeRequest, signal: AbortSignal): Promise<Answer> {
  try {
    const { data, metadata } = await gleaner.scrape(request, { signal });
    const { page, basis, signals = [] } = metadata.verdict ?? {};
    return {
      ...(page !== undefined && { verdict: page }),
      ...(basis !== undefined && { basis }),
      signals: signals.map(({ code }) => code),
      data: { ...data },
    };
  } catch (error) {
    if (!(error instanceof GleanerError) || FATAL.has(error.code)) throw error;
    if (error.code === 'INVALID_URL') throw explainRefusal(request.url, error);
    // What is not an error of the target says nothing about the page, such as the service's own RATE_LIMITED.
    const { code, source } = error;
    return { error: source === 'target' ? code : `${code} (${source})`, signals: [] };
  }
}

/** Says how to let the service reach a range on a private address, which it rejects unless told otherwise. */
function explainRefusal(url: string, { message }: GleanerError): CommandError {
  const { host, port } = new URL(url);
  return new CommandError(`The service does not open ${host}: ${message}`, {
    suggestion: `Start it with RANGE_PORT=${port || '80'} npm start, or add ${host} to EGRESS_ALLOW of the gateway and the scrapers.`,
  });
}

function isRight(answer: Answer, expect: Expectation): boolean {
  const { error, verdict, basis, signal, data = {} } = expect;
  if (error !== undefined || answer.error !== undefined) return answer.error === error;
  return (
    answer.verdict === verdict &&
    (basis === undefined || answer.basis === basis) &&
    (signal === undefined || answer.signals.includes(signal)) &&
    Object.entries(data).every(([name, value]) => isDeepStrictEqual(answer.data?.[name], value))
  );
}

/** Renders an answer, in as much detail as the expectation has. */
function describe(answer: Expectation, asked: Expectation): string {
  if (answer.error !== undefined) return answer.error;
  const data = Object.keys(asked.data ?? {}).map((name) => [name, answer.data?.[name]]);
  return [
    answer.verdict ?? 'no verdict',
    ...(asked.basis === undefined ? [] : [answer.basis]),
    ...(asked.signal === undefined ? [] : [answer.signal]),
    ...(data.length === 0 ? [] : [JSON.stringify(Object.fromEntries(data))]),
  ].join(' ');
}

async function readCases(address: string, signal: AbortSignal): Promise<RangeCase[]> {
  if (!URL.canParse(address)) throw noRange(address, 'it is not a valid URL');
  const url = new URL('/expect.json', address);
  let answer: unknown;
  try {
    const response = await fetch(url, {
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(WITHIN_MS)]),
    });
    answer = JSON.parse(await readAtMost(response, MAX_BYTES));
  } catch (error) {
    signal.throwIfAborted();
    throw noRange(url.href, error instanceof SyntaxError ? 'it is not JSON' : causeOf(error));
  }
  const { cases } = Object(answer) as { cases?: unknown };
  if (!Array.isArray(cases) || cases.length === 0 || cases.length > MAX_CASES)
    throw noRange(url.href, `"cases" is not a list of 1 to ${MAX_CASES} pages`);
  return cases.map((each: unknown, index) => {
    const found = caseOf(each, url);
    if (!found) throw noRange(url.href, `"cases.${index}" lacks a path of this server or what to expect`);
    return found;
  });
}

function caseOf(each: unknown, base: URL): RangeCase | undefined {
  const { path, options = {}, expect } = Object(each) as Record<string, unknown>;
  if (typeof path !== 'string' || !path.startsWith('/') || !URL.canParse(path, base)) return undefined;
  const url = new URL(path, base);
  if (url.origin !== base.origin || !isRecord(options) || !isRecord(expect)) return undefined;
  if (typeof expect.error !== 'string' && typeof expect.verdict !== 'string') return undefined;
  return { url: url.href, path, options, expect: expect as Expectation };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function readAtMost({ body }: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function causeOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? cause.message || message : message;
}

function noRange(url: string, reason: string): CommandError {
  return new CommandError(`${url} could not be read: ${reason}.`, {
    suggestion: 'Start the range with npm run range, and give the address that it prints.',
  });
}
