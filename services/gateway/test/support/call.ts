import { type IncomingMessage, request } from 'node:http';
import { defined } from '@gleaner/contracts';
import { checkAnswer } from './check-answer.ts';

/** Options of a request to a gateway. */
export interface CallOptions {
  readonly method?: string;
  /** An API key. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Sent as JSON; a Buffer or a string is sent as it is. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** Response that was checked against the contract. */
export interface TestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The parsed body; undefined where there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of it.
  readonly json: any;
}

/** Calls a gateway, and fails unless the response fits the contract of its route and status. */
export async function call(url: string, options: CallOptions = {}): Promise<TestAnswer> {
  const answer = await send(url, options);
  checkAnswer({ method: methodOf(options), path: new URL(url).pathname, ...answer });
  return answer;
}

function methodOf({ method, body }: CallOptions): string {
  return method ?? (body === undefined ? 'GET' : 'POST');
}

/** Calls a gateway. */
export function send(url: string, options: CallOptions): Promise<TestAnswer> {
  const { key, headers = {}, body, signal } = options;
  const method = methodOf(options);
  const content = contentOf(body);
  const sent = {
    ...(content !== undefined && {
      'content-type': 'application/json',
      'content-length': String(content.length),
    }),
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { method, headers: sent, agent: false, ...defined({ signal }) },
      (incoming) => void read(incoming).then(resolve, reject),
    );
    outgoing.once('error', reject);
    outgoing.end(content);
  });
}

async function read(incoming: IncomingMessage): Promise<TestAnswer> {
  const text = Buffer.concat(await incoming.toArray()).toString();
  const isJson = incoming.headers['content-type']?.startsWith('application/json') && text !== '';
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers as Record<string, string | undefined>,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  };
}

function contentOf(body: unknown): Buffer | undefined {
  if (body === undefined || Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}
