import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Job } from '@gleaner/contracts';
import { type Random, startSite } from '@gleaner/test-kit';

/** Body of an event about a job. */
export interface EventBody {
  readonly id: string;
  readonly type: string;
  readonly data: {
    readonly job: Job & { readonly results: readonly { readonly url: string }[] };
    /** Only of `job.pages`. */
    readonly batch?: { readonly number: number; readonly part: number; readonly isLastPart: boolean };
    /** Only of final events. */
    readonly batches?: number;
  };
}

/** Body of a message of a rule. */
export interface MessageBody {
  readonly id: string;
  readonly type: 'rule.matched';
  readonly data: { readonly jobId: string };
}

/** One attempt to deliver an event. */
export interface Delivery<Body = EventBody> {
  /** The `webhook-id`. */
  readonly id: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly event: Body;
  /** False for an attempt that the receiver misbehaved at. */
  readonly isAccepted: boolean;
}

/** A receiver of webhooks, which can misbehave in every possible way. */
export interface Receiver extends AsyncDisposable {
  readonly host: string;
  readonly url: string;
  /** Events about jobs. */
  readonly deliveries: readonly Delivery[];
  /** Messages of rules. */
  readonly messages: readonly Delivery<MessageBody>[];
  /** Number of times of each misbehavior. */
  readonly misdeeds: Readonly<Record<string, number>>;
  /** Other requests, such as those to the target of its redirects; there must not be any. */
  readonly strays: readonly string[];
  /** From now on misbehaves at a few attempts of each event, then accepts it. */
  misbehave(random: Random): void;
}

type Misdeed = (response: ServerResponse, request: IncomingMessage) => void;

const MAX_MISDEEDS = 2;
const CHUNK = Buffer.alloc(64 * 1024, 'x');
const GIB = 2 ** 30;

const MISDEEDS: Readonly<Record<string, Misdeed>> = {
  'answers 500': (response) => void response.writeHead(500).end('broken'),
  'never answers': () => {},
  'resets the connection': (_response, request) => void request.socket.resetAndDestroy(),
  'redirects to a private address': (response, { headers }) =>
    void response.writeHead(302, { location: `http://${headers.host}/private` }).end(),
  'asks for a second': (response) => void response.writeHead(429, { 'retry-after': '1' }).end(),
  'answers with a body of 1 GB': (response) => flood(response.writeHead(500, { 'content-length': GIB })),
  'breaks off before it has answered': (_response, request) => void request.socket.end('HTTP/1.1 20'),
};

/** Starts it on loopback. */
export async function startReceiver(): Promise<Receiver> {
  const deliveries: Delivery[] = [];
  const messages: Delivery<MessageBody>[] = [];
  const strays: string[] = [];
  const plans = new Map<string, string[]>();
  const misdeeds: Record<string, number> = {};
  let plan = (): string[] => [];

  const site = await startSite(async ({ url, request, response }) => {
    const chunks: Buffer[] = await request.toArray();
    if (request.method !== 'POST' || !url.pathname.startsWith('/hooks')) {
      strays.push(`${request.method} ${url}`);
      return void response.writeHead(405).end();
    }
    const { headers } = request;
    const body = Buffer.concat(chunks).toString();
    const id = String(headers['webhook-id']);
    const left = plans.get(id) ?? plan();
    plans.set(id, left);
    const misdeed = left.shift();
    const event = JSON.parse(body) as EventBody | MessageBody;
    const delivery = { id, headers, body, isAccepted: misdeed === undefined };
    if (event.type === 'rule.matched') messages.push({ ...delivery, event: event as MessageBody });
    else deliveries.push({ ...delivery, event: event as EventBody });
    if (misdeed === undefined) return void response.writeHead(204).end();
    misdeeds[misdeed] = (misdeeds[misdeed] ?? 0) + 1;
    MISDEEDS[misdeed]?.(response, request);
  });
  return {
    host: new URL(site.origin).host,
    url: `${site.origin}/hooks`,
    deliveries,
    messages,
    misdeeds,
    strays,
    misbehave(random) {
      plan = () =>
        Array.from({ length: random.between(0, MAX_MISDEEDS) }, () => random.pick(Object.keys(MISDEEDS)));
    },
    [Symbol.asyncDispose]: site.close,
  };
}

/** Writes until the reader closes the connection. */
function flood(response: ServerResponse): void {
  const more = () => {
    while (!response.destroyed && response.write(CHUNK));
  };
  response.on('drain', more);
  more();
}
