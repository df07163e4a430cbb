import { setTimeout as delay } from 'node:timers/promises';
import { startSite } from '../sites/start-site.ts';

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
  const site = await startSite(async ({ url, request, response }) => {
    const body = Buffer.concat(await request.toArray());
    const { headers: received } = request;
    deliveries.push({
      path: url.pathname + url.search,
      headers: received,
      body,
      json: parseJson(body),
      receivedAt: new Date(),
    });
    const { status, headers = {}, delayMs = 0 } = answers.shift() ?? { status: 200 };
    if (delayMs > 0) await delay(delayMs);
    if (status === 'stall') return;
    if (status === 'reset') request.socket.destroy();
    else response.writeHead(status, headers).end();
  });
  return {
    url: `${site.origin}/hook`,
    host: '127.0.0.1',
    port: Number(new URL(site.origin).port),
    deliveries,
    script: (...scripted) => void answers.push(...scripted),
    close: site.close,
    [Symbol.asyncDispose]: site.close,
  };
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
