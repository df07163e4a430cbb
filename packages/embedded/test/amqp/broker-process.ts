import { startAmqpServer } from '../../src/amqp/start-amqp-server.ts';

// Run as a child process with the data folder as its argument, so that a test can kill it without warning.
const [, , dataDir = ''] = process.argv;
const server = await startAmqpServer({ dataDir });
process.stdout.write(`${server.url}\n`);
