import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** One delivery as it arrived. */
export interface ReceivedDelivery {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The raw bytes that the signature covers. */
  readonly body: Buffer;
  /** The body as JSON; undefined when it is not JSON. */
  readonly json: unknown;
  readonly receivedAt: Date;
}

/** The receiver's response to one delivery. */
export interface ScriptedAnswer {
  /** `'reset'` closes the connection without an answer, `'stall'` never answers. */
  readonly status: number | 'reset' | 'stall';
  readonly headers?: Readonly<Record<string, string>>;
  readonly delayMs?: number;
}

/** A running receiver. */
export interface WebhookReceiver extends AsyncDisposable {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Every delivery so far, oldest first. */
  readonly deliveries: readonly ReceivedDelivery[];
  /** Answers the next deliveries with these responses, in this order, and those after them with 200. */
  script(...answers: ScriptedAnswer[]): void;
  close(): Promise<void>;
}

/** Starts a receiver on loopback that answers every delivery with 200 unless `script` was called. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const deliveries: ReceivedDelivery[] = [];
  const answers: ScriptedAnswer[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const delivery = await readDelivery(request);
    deliveries.push(delivery);
    const { status, headers = {}, delayMs = 0 } = answers.shift() ?? { status: 200 };
    if (delayMs > 0) await delay(delayMs);
    if (status === 'stall') return;
    if (status === 'reset') request.socket.destroy();
    else response.writeHead(status, headers).end();
  };
  const server = createServer((request, response) => {
    // A notifier that closes its connection leaves nothing to answer.
    receive(request, response).catch(() => request.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  async function close(): Promise<void> {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }

  return {
    url: `http://127.0.0.1:${port}/hook`,
    host: '127.0.0.1',
    port,
    deliveries,
    script: (...scripted) => void answers.push(...scripted),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function readDelivery(request: IncomingMessage): Promise<ReceivedDelivery> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  return {
    path: request.url ?? '/',
    headers: request.headers,
    body,
    json: parseJson(body),
    receivedAt: new Date(),
  };
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
