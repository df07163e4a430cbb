/**
 * The embedded broker and database in a process of their own: ends when told to, or when the stack that
 * started it is gone. Ctrl-C at the terminal does not reach it, so the services can finish first.
 */
import { join } from 'node:path';
import { collectGarbage, optimiseSooner } from '@gleaner/config';
import { startAmqpServer, startMongoServer } from '@gleaner/embedded';

const { BACKENDS_DATA_DIR = '', AMQP_PORT = '0', MONGODB_PORT = '0' } = process.env;
const host = '127.0.0.1';

const [amqp, mongo] = await Promise.all([
  startAmqpServer({ dataDir: join(BACKENDS_DATA_DIR, 'broker'), host, port: Number(AMQP_PORT) }),
  startMongoServer({ dataDir: join(BACKENDS_DATA_DIR, 'database'), host, port: Number(MONGODB_PORT) }),
]);

process.once('SIGTERM', () => void stop());
process.once('disconnect', () => void stop());
collectGarbage();
optimiseSooner();
process.send?.({ type: 'ready', ports: { amqp: Number(AMQP_PORT), mongodb: Number(MONGODB_PORT) } });

async function stop(): Promise<void> {
  await Promise.all([amqp.close(), mongo.close()]);
  process.exit(0);
}
