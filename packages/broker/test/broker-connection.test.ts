import type { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { eventually } from '@gleaner/test-kit';
import { expect, it } from '@jest/globals';
import { BrokerConnection } from '../src/connection/broker-connection.ts';
import { brokerAddress } from '../src/connection/broker-options.ts';
import { describeOverBrokers } from './describe-over-brokers.ts';

await describeOverBrokers('a connection to the broker', (newFixture) => {
  it('sends the frames of one turn with one write to its socket', async () => {
    const { url, logger } = newFixture().options();
    const address = brokerAddress(url, 10);
    const deps = { address, role: 'publish', connectionName: 'test', logger, observe: () => {} } as const;
    const connection = new BrokerConnection(deps);
    const open = connection.addChannel({
      name: 'test',
      open: (model) => model.createChannel(),
      prepare: async () => {},
    });
    const channel = await open.whenReady(undefined, 240_000);
    const writes = recordWrites(connection);
    channel.publish('', 'nowhere', Buffer.from('1'));
    channel.publish('', 'nowhere', Buffer.from('2'));
    await eventually(() => expect(writes).not.toEqual([]));
    await nextTurn();
    expect(writes).toEqual([expect.any(Number)]);
    expect(writes[0]).toBeGreaterThan(1);
    await connection.close(1000);
  });
});

/** The part of amqplib's connection that its types leave out. */
interface WithSocket {
  readonly stream: Required<Pick<Writable, '_write' | '_writev'>>;
}

/** Records the number of chunks in each write to the socket. */
function recordWrites({ current }: BrokerConnection): number[] {
  if (!current) throw new Error('There is no connection.');
  const { stream } = current.connection as unknown as WithSocket;
  const { _write, _writev } = stream;
  const writes: number[] = [];
  stream._write = function record(this: Writable, ...parameters) {
    writes.push(1);
    _write.apply(this, parameters);
  };
  stream._writev = function record(this: Writable, ...parameters) {
    writes.push(parameters[0].length);
    _writev.apply(this, parameters);
  };
  return writes;
}
