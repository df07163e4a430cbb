/**
 * Runs the embedded broker and database in a process of their own, until SIGTERM or until the stack that started it
 * ends. Ctrl-C at the terminal does not reach it, so that the services can finish first.
 */
import { join } from 'node:path';
import { optimizeSooner, stopOptimizing } from '@gleaner/config';
import { startAmqpServer, startMongoServer } from '@gleaner/embedded';

const { BACKENDS_DATA_DIR = '', AMQP_PORT = '0', AMQP_PASSWORD = 'guest' } = process.env;
const { MONGODB_PORT = '0', MONGODB_SOCKET: socketPath } = process.env;
const host = '127.0.0.1';

/** Warnings and errors, such as those of a full disk, go to the log file of this process. */
const logger = { info: () => undefined, warn: writeLine('warn'), error: writeLine('error') };

const [amqp, mongo] = await Promise.all([
  startAmqpServer({
    dataDir: join(BACKENDS_DATA_DIR, 'broker'),
    credentials: { username: 'guest', password: AMQP_PASSWORD },
    host,
    port: Number(AMQP_PORT),
    logger,
  }),
  startMongoServer({
    dataDir: join(BACKENDS_DATA_DIR, 'database'),
    ...(socketPath ? { socketPath } : { host, port: Number(MONGODB_PORT) }),
    logger,
  }),
]).catch(exitWithError);

for (const event of ['SIGTERM', 'disconnect']) {
  process.once(event, () => {
    stop().catch(exitWithError);
  });
}
optimizeSooner();
process.send?.({ type: 'ready', ports: { amqp: Number(AMQP_PORT), mongodb: Number(MONGODB_PORT) } });

async function stop(): Promise<void> {
  stopOptimizing();
  await Promise.all([amqp.close(), mongo.close()]);
  process.exit(0);
}

/** The stack shows the message of a fatal line to the operator. */
function exitWithError(error: unknown): never {
  writeLine('fatal')({ err: error }, error instanceof Error ? error.message : String(error));
  process.exit(1);
}

function writeLine(level: string): (details: object, message: string) => void {
  return (details, message) => {
    const cause = 'err' in details ? { error: String(details.err) } : {};
    console.log(JSON.stringify({ level, time: new Date().toISOString(), ...cause, msg: message }));
  };
}
