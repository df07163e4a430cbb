import { startOrigin } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { createEgressPolicy, createHttpClient } from '../src/index.ts';
import { findObstacle, probeInNamespace } from './namespace/namespace.ts';

const never = new AbortController().signal;

describe('the client, where a server listens', () => {
  it('opens no connection to the loopback network under any name', async () => {
    await using origin = await startOrigin({ host: '0.0.0.0' });
    const client = createHttpClient({ policy: createEgressPolicy({ allow: [] }) });
    const hosts = [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      '0',
      '127.8.9.10',
      'localhost',
      'localhost.',
      'a.localhost',
      '１２７.0.0.1',
    ];
    for (const host of hosts) {
      await expect(client.fetchPage({ url: `http://${host}:${origin.port}/` }, never)).rejects.toMatchObject({
        code: 'INVALID_URL',
      });
    }
    expect(origin.connectionCount).toBe(0);
    client.close();
  });
});

const obstacle = findObstacle();
if (obstacle) {
  process.stderr.write(`Skipped the network in which every address responds: ${obstacle}.\n`);
} else {
  describe('the client, in a network where every address responds', () => {
    const REFUSED = [
      '10.0.0.1',
      '10.255.255.254',
      '100.64.0.1',
      '100.100.100.200',
      '127.0.0.1',
      '127.9.9.9',
      '168.63.129.16',
      '169.254.169.254',
      '169.254.170.2',
      '172.16.0.1',
      '172.31.255.254',
      '192.0.0.192',
      '192.0.2.9',
      '192.88.99.1',
      '192.168.1.1',
      '198.18.0.1',
      '198.51.100.1',
      '203.0.113.1',
      '::1',
      '::ffff:10.0.0.1',
      '::ffff:169.254.169.254',
      '64:ff9b::a9fe:a9fe',
      '64:ff9b:1::1',
      '100::1',
      '2001:db8::1',
      '2002:7f00:1::',
      '2001:0:7f00:1::1',
      '3fff::1',
      'fc00::1',
      'fd00:ec2::254',
      'fec0::1',
    ];
    // Connecting there leads to the loopback network, so opening these addresses alone opens nothing.
    const UNSPECIFIED = ['0.0.0.0', '::'];
    const PUBLIC = ['8.8.8.8', '93.184.215.14', '2606:4700:4700::1111', '2a00:1450:4001:800::200e'];

    it('reaches only public addresses, as a literal, by name or by redirect', async () => {
      const results = await probeInNamespace([...REFUSED, ...UNSPECIFIED, ...PUBLIC]);
      const outcome = ({
        asLiteral,
        asName,
        asRedirect,
        connectionsWhileRefused,
      }: (typeof results)[number]) => ({
        asLiteral,
        asName,
        asRedirect,
        connectionsWhileRefused,
      });
      const refused = {
        asLiteral: 'INVALID_URL',
        asName: 'INVALID_URL',
        asRedirect: 'INVALID_URL',
        connectionsWhileRefused: 0,
      };
      for (const result of results.slice(0, REFUSED.length)) {
        expect([result.address, result.isAnswering, result.opened]).toEqual([result.address, true, '200']);
      }
      for (const result of results.slice(0, -PUBLIC.length)) {
        expect([result.address, outcome(result)]).toEqual([result.address, refused]);
      }
      for (const result of results.slice(-PUBLIC.length)) {
        expect([result.address, outcome(result)]).toEqual([
          result.address,
          { asLiteral: '200', asName: '200', asRedirect: '200', connectionsWhileRefused: 3 },
        ]);
      }
    });
  });
}
