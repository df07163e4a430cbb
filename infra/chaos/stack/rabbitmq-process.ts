/** Runs a RabbitMQ node from the installed server; signals go to its whole process group. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const { BACKEND_DATA_DIR: dataDir = '', BACKEND_PORT: port = '0', RABBITMQ_SERVER = '' } = process.env;

const configFile = join(dataDir, 'rabbitmq.conf');
await writeFile(configFile, `listeners.tcp.own = 127.0.0.1:${port}\n`);

const server = spawn(RABBITMQ_SERVER, [], {
  stdio: 'inherit',
  env: {
    ...process.env,
    HOME: dataDir,
    ERL_CRASH_DUMP: join(dataDir, 'erl_crash.dump'),
    RABBITMQ_CONFIG_FILE: configFile,
    RABBITMQ_CONF_ENV_FILE: join(dataDir, 'no-rabbitmq-env.conf'),
    RABBITMQ_NODENAME: `chaos-${port}@localhost`,
    RABBITMQ_NODE_IP_ADDRESS: '',
    RABBITMQ_NODE_PORT: '',
    RABBITMQ_DIST_PORT: String(Number(port) + 1),
    RABBITMQ_MNESIA_BASE: dataDir,
    RABBITMQ_LOGS: '-',
    RABBITMQ_ENABLED_PLUGINS_FILE: join(dataDir, 'enabled_plugins'),
    RABBITMQ_PID_FILE: join(dataDir, 'pid'),
  },
});
server.once('exit', () => process.exit(1));
process.once('SIGTERM', () => server.kill('SIGTERM'));
process.once('disconnect', () => server.kill('SIGKILL'));
while (!(await answers(Number(port)))) await sleep(200);
process.send?.('ready');

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return await once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy());
}
