import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { freePort } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { decideRetry, type FailedAttempt } from '../src/caller.ts';
import { Gleaner, GleanerError, type VerifyOptions, verifyWebhook } from '../src/index.ts';
import { sendError, sendJson, startService } from './support/start-service.ts';

/** One response of the scripted service: a status and headers, then what is sent of its body, then its end. */
interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** An error in the envelope of the API. */
  readonly error?: { readonly code: string; readonly source?: 'api' | 'target' };
  /** A line of JSON for each. */
  readonly lines?: readonly unknown[];
  readonly events?: readonly { readonly event: string; readonly id: string; readonly data: unknown }[];
  readonly text?: string;
  readonly byByte?: boolean;
  /** Closes the connection without an end, or leaves it open; without anything before it, there is no response. */
  readonly end?: 'break' | 'hang';
}

/** A call with its responses, the expected requests and its result. Both clients pass all cases. */
interface Case {
  readonly name: string;
  readonly client?: { readonly url?: string; readonly path?: string };
  readonly call: string;
  readonly arguments: readonly unknown[];
  readonly options?: object;
  /** Responses in their order; null where nothing listens. */
  readonly answers: readonly Answer[] | null;
  readonly requests?: readonly {
    readonly method?: string;
    readonly path?: string;
    readonly headers?: Readonly<Record<string, string | null>>;
    readonly json?: unknown;
  }[];
  /** A header that is there and the same in all requests. */
  readonly same?: string;
  readonly returns?: unknown;
  readonly page?: object;
  readonly yields?: readonly unknown[];
  readonly bytes?: string;
  readonly fails?: Readonly<Record<string, unknown>>;
  readonly says?: string;
  /** Error codes after which a watch reports the service as unavailable. */
  readonly away?: readonly string[];
}

type Circumstances = Omit<FailedAttempt, 'error' | 'repeatability'>;

interface RetryCase extends Partial<Circumstances> {
  readonly name: string;
  readonly repeatability: FailedAttempt['repeatability'];
  readonly error: FailedAttempt['error'] & { readonly wasSent?: boolean };
  readonly delayMs: number | null;
}

interface WebhookCase extends VerifyOptions {
  readonly name: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly secrets: string | readonly string[];
  readonly type?: string;
  readonly fails?: string;
}

/** Read by the Python client as well (packages/client-python/test). */
const CASES: {
  calls: Case[];
  retryDefaults: Circumstances;
  retries: RetryCase[];
  webhooks: WebhookCase[];
} = JSON.parse(readFileSync(join(import.meta.dirname, 'cases.json'), 'utf8'));
const named = <Each extends { readonly name: string }>(cases: readonly Each[]) =>
  cases.map((each) => [each.name, each] as const);

describe('a call', () => {
  it.each(named(CASES.calls))('%s', async (_name, given) => {
    await using other = await startService((response) => void response.end());
    const fill = (text: string) => text.replaceAll('{other}', other.url);
    const answers = given.answers ?? [];
    await using service = await startService((response, _request, count) =>
      send(response, answers[count] ?? { end: 'break' }, fill),
    );
    const url = given.answers ? service.url : `http://127.0.0.1:${await freePort()}`;
    const outcome = await perform(given, url);

    expect(outcome).toEqual({
      yielded: given.yields ? given.yields.map((item) => like(item)) : undefined,
      returned: 'returns' in given ? (given.returns === null ? undefined : like(given.returns)) : undefined,
      page: given.page && like(given.page),
      bytes: given.bytes,
      error: given.fails && expect.objectContaining(absent(given.fails)),
      away: given.away ?? [],
    });
    expect(outcome.error?.message ?? '').toContain(fill(given.says ?? ''));
    expect(other.received).toEqual([]);
    const { received } = service;
    if (given.requests) expect(received).toHaveLength(given.requests.length);
    for (const [index, { headers = {}, json, ...request }] of (given.requests ?? []).entries()) {
      expect(received[index]).toMatchObject(request);
      for (const [name, value] of Object.entries(headers)) {
        expect([name, received[index]?.headers[name] ?? null]).toEqual([name, value]);
      }
      if (json !== undefined) expect(JSON.parse(received[index]?.body ?? '')).toEqual(json);
    }
    if (given.same) {
      const values = new Set(received.map(({ headers }) => headers[given.same ?? '']));
      expect([...values]).toEqual([expect.stringMatching(/^[\w-]{36}$/)]);
    }
  });
});

interface Outcome {
  yielded: unknown[] | undefined;
  returned: unknown;
  page: unknown;
  bytes: string | undefined;
  error: GleanerError | undefined;
  away: string[];
}

type Method = (
  ...given: unknown[]
) => Promise<unknown> & AsyncIterable<unknown> & { page(): Promise<unknown> };

async function perform(given: Case, url: string): Promise<Outcome> {
  const away: string[] = [];
  const outcome: Outcome = {
    yielded: given.yields && [],
    returned: undefined,
    page: undefined,
    bytes: undefined,
    error: undefined,
    away,
  };
  const onAway = ({ code }: GleanerError) => void away.push(code);
  const options = { ...given.options, ...(given.away && { onAway }) };
  try {
    const path = given.client?.path ?? '';
    const gleaner = new Gleaner({ ...given.client, url: given.client?.url ?? url + path });
    const [name = '', group] = given.call.split('.').reverse();
    const target = (group ? gleaner[group as keyof Gleaner] : gleaner) as unknown as Record<string, Method>;
    const result = target[name]?.(...given.arguments, ...(Object.keys(options).length > 0 ? [options] : []));
    if (outcome.yielded) for await (const item of result ?? []) outcome.yielded.push(item);
    else if (given.page) outcome.page = await result?.page();
    else if (given.bytes !== undefined) outcome.bytes = await textOf(result);
    else outcome.returned = await result;
  } catch (error) {
    if (!(error instanceof GleanerError)) throw error;
    outcome.error = error;
  }
  return outcome;
}

async function textOf(
  result: Promise<unknown> | AsyncIterable<unknown> = Promise.resolve(),
): Promise<string> {
  const chunks: unknown[] = [];
  if ('then' in result) chunks.push(await result);
  else for await (const chunk of result) chunks.push(chunk);
  return Buffer.concat(chunks as Uint8Array[]).toString();
}

/** Matches a value that has at least these fields. */
function like(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(like);
  return typeof value === 'object' && value !== null ? expect.objectContaining(value) : value;
}

/** Returns the fields with undefined instead of null. */
function absent(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value ?? undefined]));
}

async function send(response: ServerResponse, answer: Answer, fill: (text: string) => string): Promise<void> {
  const { status = 200, json, error, lines = [], events = [], text, end } = answer;
  const headers = Object.fromEntries(
    Object.entries(answer.headers ?? {}).map(([name, value]) => [name, fill(value)]),
  );
  if (json !== undefined) return sendJson(response, status, json, headers);
  if (error) return sendError(response, status, error, headers);
  const body = [
    ...lines.map((line) => `${JSON.stringify(line)}\n`),
    ...events.map(({ event, id, data }) => `event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`),
    text ?? '',
  ].join('');
  const hasResponse = body !== '' || text !== undefined || end === undefined;
  if (hasResponse) response.writeHead(status, headers).flushHeaders();
  if (answer.byByte) {
    for (const byte of Buffer.from(body)) {
      response.write(Buffer.of(byte));
      await new Promise(setImmediate);
    }
  } else if (body !== '') await new Promise((sent) => response.write(body, sent));
  if (end === 'break') response.destroy();
  else if (end === undefined) response.end();
}

describe('decideRetry', () => {
  it.each(named(CASES.retries))('%s', (_name, { error, delayMs, name: _, ...attempt }) => {
    const code = error.wasSent === false ? 'ECONNREFUSED' : 'ECONNRESET';
    const cause = error.wasSent === undefined ? undefined : Object.assign(new Error('x'), { code });
    expect(decideRetry({ ...CASES.retryDefaults, ...attempt, error: { ...error, cause } }) ?? null).toBe(
      delayMs,
    );
  });
});

describe('verifyWebhook', () => {
  it.each(named(CASES.webhooks))('%s', async (_name, { body, headers, secrets, type, fails, ...options }) => {
    for (const each of [body, new TextEncoder().encode(body)]) {
      const outcome = await verifyWebhook(each, headers, secrets, options).catch((error: unknown) => error);
      expect(outcome).toMatchObject(type ? { type } : { code: fails });
    }
  });
});
