/** Runs the embedded broker or the embedded database in a process of its own, so that each can be killed alone. */
import { startAmqpServer, startMongoServer } from '@gleaner/embedded';

const { BACKEND = '', BACKEND_DATA_DIR: dataDir = '', BACKEND_PORT = '0' } = process.env;
const options = { dataDir, host: '127.0.0.1', port: Number(BACKEND_PORT) };
const server = await (BACKEND === 'broker' ? startAmqpServer(options) : startMongoServer(options));

process.once('SIGTERM', () => void stop());
process.once('disconnect', () => void stop());
process.send?.('ready');

async function stop(): Promise<void> {
  await server.close();
  process.exit(0);
}
