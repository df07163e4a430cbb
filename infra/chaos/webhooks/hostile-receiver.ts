import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { Random } from '../random.ts';

/** Requests with one webhook-id. */
export interface ReceivedEvent {
  readonly jobId: string;
  readonly type: string;
  readonly tries: number;
  /** Number of attempts that were answered with 2xx. */
  readonly accepted: number;
  /** SHA-256 hashes of the bodies. */
  readonly bodies: ReadonlySet<string>;
}

/** A receiver that misbehaves in every possible way for a few attempts of each event, then accepts it. */
export interface HostileReceiver {
  readonly host: string;
  readonly url: string;
  /** By webhook-id. */
  readonly events: ReadonlyMap<string, ReceivedEvent>;
  /** Reasons why attempts failed the signature check. */
  readonly forged: readonly string[];
  /** Number of times of each misbehavior. */
  readonly misdeeds: Readonly<Record<string, number>>;
  /** Number of requests to the target of its redirects; there must be none. */
  readonly followed: number;
  /** The secret that signatures are verified with. */
  trust(secret: string): void;
  close(): Promise<void>;
}

const MAX_MISDEEDS = 2;
const CHUNK = Buffer.alloc(64 * 1024, 'x');
const GIB = 2 ** 30;

type Misdeed = (response: ServerResponse, request: IncomingMessage) => void;

function misdeedsAt(privateUrl: () => string): Readonly<Record<string, Misdeed>> {
  return {
    'answers 500': (response) => void response.writeHead(500).end('broken'),
    'never answers': () => {},
    'resets the connection': (_response, request) => void request.socket.resetAndDestroy(),
    'redirects to a private address': (response) =>
      void response.writeHead(302, { location: privateUrl() }).end(),
    'asks for a second': (response) => void response.writeHead(429, { 'retry-after': '1' }).end(),
    'answers with a body of 1 GB': (response) => flood(response.writeHead(500, { 'content-length': GIB })),
    'breaks off before it has answered': (_response, request) => {
      request.socket.end('HTTP/1.1 20');
    },
  };
}

/** Starts it on loopback. */
export async function startHostileReceiver(random: Random): Promise<HostileReceiver> {
  const events = new Map<string, { -readonly [Key in keyof ReceivedEvent]: ReceivedEvent[Key] }>();
  const plans = new Map<string, string[]>();
  const forged: string[] = [];
  const done: Record<string, number> = {};
  let followed = 0;
  let webhook: Webhook | undefined;
  const misdeeds = misdeedsAt(() => `http://${host}/private`);
  const names = Object.keys(misdeeds);

  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url === '/private') followed += 1;
    const chunks = await request.toArray().catch(() => undefined);
    if (!chunks || request.method !== 'POST') return void response.writeHead(405).end();
    const body = Buffer.concat(chunks as Buffer[]);
    const id = String(request.headers['webhook-id']);
    try {
      webhook?.verify(body.toString(), request.headers as Record<string, string>);
    } catch (error) {
      forged.push(`${id}: ${error instanceof Error ? error.message : String(error)}`);
    }
    const { type, data } = JSON.parse(body.toString()) as { type: string; data: { job: { id: string } } };
    const event = events.get(id) ?? { jobId: data.job.id, type, tries: 0, accepted: 0, bodies: new Set() };
    events.set(id, event);
    event.tries += 1;
    (event.bodies as Set<string>).add(createHash('sha256').update(body).digest('hex'));
    const plan =
      plans.get(id) ?? Array.from({ length: random.between(0, MAX_MISDEEDS) }, () => random.pick(names));
    plans.set(id, plan);
    const name = plan.shift();
    if (name === undefined) {
      event.accepted += 1;
      return void response.writeHead(204).end();
    }
    done[name] = (done[name] ?? 0) + 1;
    misdeeds[name]?.(response, request);
  };
  const server = createServer((request, response) => {
    receive(request, response).catch((error: unknown) => {
      forged.push(`${request.url}: ${String(error)}`);
      response.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}/hooks`,
    events,
    forged,
    misdeeds: done,
    get followed() {
      return followed;
    },
    trust(secret) {
      webhook = new Webhook(secret);
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Writes until the reader closes the connection. */
function flood(response: ServerResponse): void {
  response.on('error', () => {});
  const more = () => {
    while (!response.destroyed && response.write(CHUNK));
  };
  response.on('drain', more);
  more();
}
