import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** One delivery as it arrived. */
export interface ReceivedDelivery {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The raw bytes, which the signature is over. */
  readonly body: Buffer;
  /** The body as JSON; undefined when it is none. */
  readonly json: unknown;
  readonly receivedAt: Date;
}

/** How the receiver answers one delivery. */
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
  /** Answers the next deliveries in this order; then 200 again. */
  script(...answers: ScriptedAnswer[]): void;
  close(): Promise<void>;
}

/** Starts a receiver on loopback that takes every delivery with 200 until it is told otherwise. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const deliveries: ReceivedDelivery[] = [];
  const answers: ScriptedAnswer[] = [];
  const server = createServer(async (request, response) => {
    const delivery = await readDelivery(request).catch(() => undefined);
    if (!delivery) return;
    deliveries.push(delivery);
    const { status, headers = {}, delayMs = 0 } = answers.shift() ?? { status: 200 };
    if (delayMs > 0) await delay(delayMs);
    if (status === 'stall') return;
    if (status === 'reset') request.socket.destroy();
    else response.writeHead(status, headers).end();
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
