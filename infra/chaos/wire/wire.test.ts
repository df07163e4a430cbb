import { describe, expect, it } from '@jest/globals';
import { createAmqpReader } from './read-amqp.ts';
import { createMongodbReader } from './read-mongodb.ts';
import { createFrameSplitter } from './wire-proxy.ts';

describe('AMQP on the wire', () => {
  it('is cut into frames, in any pieces that it arrives in', () => {
    const split = createFrameSplitter(createAmqpReader());
    const frames = [Buffer.from('AMQP\0\0\x09\x01', 'latin1'), publish('', 'pages.http'), publish('x', 'y')];
    const bytes = Buffer.concat(frames);
    const got = Array.from(bytes, (byte) => split(Buffer.from([byte]))).flat();
    expect(got).toEqual(frames);
  });

  it('yields published messages and, by their numbers, confirmed ones', () => {
    const reader = createAmqpReader();
    expect(reader.describe('client', publish('gleaner.commands', 'pages.http'))).toEqual({
      from: 'client',
      name: 'publish',
      subject: 'pages.http',
    });
    reader.describe('client', publish('gleaner.dispatch-hints', ''));
    reader.describe('client', publish('gleaner.commands', 'pages.results'));
    const subjects = [2n, 3n].map((upTo) => reader.describe('server', acknowledge(upTo))?.subject);
    expect(subjects).toEqual(['pages.http', 'pages.results']);
  });
});

describe('MongoDB on the wire', () => {
  it('yields commands with their collections, and the command that a reply answers', () => {
    const reader = createMongodbReader();
    const command = Buffer.alloc(64);
    command.writeInt32LE(64, 0);
    command.writeInt32LE(7, 4);
    command.writeInt32LE(2013, 12);
    command[25] = 2;
    command.write('insert\0', 26);
    command.writeInt32LE(6, 33);
    command.write('pages\0', 37);
    const reply = Buffer.alloc(26);
    reply.writeInt32LE(7, 8);
    expect(reader.frameLength(command)).toBe(64);
    expect(reader.describe('client', command)).toEqual({ from: 'client', name: 'insert', subject: 'pages' });
    expect(reader.describe('server', reply)).toEqual({ from: 'server', name: 'insert', subject: 'pages' });
    expect(reader.describe('server', reply)).toBeUndefined();
  });
});

function publish(exchange: string, routingKey: string): Buffer {
  return method(40, Buffer.concat([Buffer.alloc(2), text(exchange), text(routingKey), Buffer.alloc(1)]));
}

/** Builds an acknowledgment of everything up to this number. */
function acknowledge(upTo: bigint): Buffer {
  const content = Buffer.alloc(9, 1);
  content.writeBigUInt64BE(upTo);
  return method(80, content);
}

/** Builds a method of the class `basic` on channel 1. */
function method(id: number, content: Buffer): Buffer {
  const head = Buffer.from([1, 0, 1, 0, 0, 0, content.length + 4, 0, 60, 0, id]);
  return Buffer.concat([head, content, Buffer.from([0xce])]);
}

function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);
}
