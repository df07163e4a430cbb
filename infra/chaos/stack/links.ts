import { createAmqpReader } from '../wire/read-amqp.ts';
import { createMongodbReader } from '../wire/read-mongodb.ts';
import { startWireProxy, type WireProxy } from '../wire/wire-proxy.ts';

/** Servers that every process depends on. */
export const BACKENDS = ['broker', 'database'] as const;
export type Backend = (typeof BACKENDS)[number];

/** Addresses of the backends themselves. */
export interface Addresses {
  readonly amqpUrl: URL;
  readonly mongodbUrl: URL;
}

/** Proxies of one process to the backends. */
export type Links = Readonly<Record<Backend, WireProxy>>;

/** Name and type of the server's time in its answer to `hello`; eight bytes of milliseconds follow. */
const LOCAL_TIME = Buffer.from('\x09localTime\0');

/** Starts the proxies of one process. With a clock, the database tells its time, which clients of the database go by. */
export async function startLinks({ amqpUrl, mongodbUrl }: Addresses, now?: () => number): Promise<Links> {
  const setTime = (frame: Buffer) => {
    const at = frame.indexOf(LOCAL_TIME) + LOCAL_TIME.length;
    if (now && at >= LOCAL_TIME.length && at + 8 <= frame.length) frame.writeBigInt64LE(BigInt(now()), at);
  };
  return {
    broker: await startWireProxy(addressOf(amqpUrl, 5672), createAmqpReader),
    database: await startWireProxy(addressOf(mongodbUrl, 27_017), createMongodbReader, setTime),
  };
}

/** Returns the settings that make a process use its proxies. */
export function settingsOf(links: Links, { amqpUrl, mongodbUrl }: Addresses) {
  return { AMQP_URL: through(amqpUrl, links.broker), MONGODB_URI: through(mongodbUrl, links.database) };
}

/** Ends the proxies. */
export async function closeLinks(links: Links): Promise<void> {
  await Promise.all(BACKENDS.map((backend) => links[backend].close()));
}

function addressOf({ hostname: host, port }: URL, usualPort: number) {
  return { host, port: Number(port || usualPort) };
}

function through(url: URL, { port }: WireProxy): string {
  const way = new URL(url);
  way.hostname = '127.0.0.1';
  way.port = String(port);
  return way.href;
}
