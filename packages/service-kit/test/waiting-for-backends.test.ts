import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { endServices, launch } from './service-process.ts';

let closedPort: number;

beforeAll(async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  closedPort = typeof address === 'object' && address ? address.port : 0;
  await once(server.close(), 'close');
});

afterEach(endServices);

describe('a service whose backends are away', () => {
  it('is alive but not ready while it waits, and stops when asked', async () => {
    const { child, logged, ended } = launch(away(), [], 'backends');
    const { port } = await logged('Health and metrics are served.');
    await logged('The database does not answer yet');
    expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(200);
    const readyz = await fetch(`http://127.0.0.1:${port}/readyz`);
    expect([readyz.status, await readyz.json()]).toEqual([503, { status: 'starting', checks: {} }]);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  });

  it('gives up on the database after STARTUP_TIMEOUT_MS and says what to do', async () => {
    const { code, stdout } = await launch({ ...away(), STARTUP_TIMEOUT_MS: '500' }, [], 'backends').ended;
    expect(code).toBe(1);
    expect(stdout).toContain(
      'The database was not ready within STARTUP_TIMEOUT_MS. Start MongoDB, or correct',
    );
    expect(stdout).not.toContain('s3cr3t');
  });

  it('gives up on the broker after STARTUP_TIMEOUT_MS and says what to do', async () => {
    const env = { ...away(), STARTUP_TIMEOUT_MS: '500' };
    const { code, stdout } = await launch(env, ['--broker-only'], 'backends').ended;
    expect(code).toBe(1);
    expect(stdout).toContain(
      'The broker was not ready within STARTUP_TIMEOUT_MS. Start RabbitMQ, or correct',
    );
    expect(stdout).not.toContain('s3cr3t');
  });
});

function away() {
  return {
    AMQP_URL: `amqp://guest:s3cr3t@127.0.0.1:${closedPort}`,
    MONGODB_URI: `mongodb://guest:s3cr3t@127.0.0.1:${closedPort}/gleaner`,
  };
}
