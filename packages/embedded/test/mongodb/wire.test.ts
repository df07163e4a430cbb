import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Document, deserialize, serialize } from 'bson';
import { MongoClient } from 'mongodb';
import { startMongoServer } from '../../src/index.ts';

const OP_QUERY = 2004;
const OP_COMPRESSED = 2012;
const OP_MSG = 2013;
const PING = { ping: 1, $db: 'admin' };

let folder: string;
let server: Awaited<ReturnType<typeof startMongoServer>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-mongodb-wire-'));
  server = await startMongoServer({ dataDir: folder });
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

describe('the wire protocol', () => {
  it('answers OP_MSG, byte by byte if need be', async () => {
    const socket = await open();
    for (const byte of message(body(PING))) socket.write(Uint8Array.of(byte));
    expect(await reply(socket)).toMatchObject({ ok: 1 });
    socket.destroy();
  });

  it('answers several requests of one packet in their order', async () => {
    const socket = await open();
    socket.write(
      Buffer.concat([message(body(PING), { id: 7 }), message(body({ ...PING, nope: 1 }), { id: 8 })]),
    );
    const frames = await readFrames(socket, 2);
    expect(frames.map((frame) => frame.readInt32LE(8))).toEqual([7, 8]);
    socket.destroy();
  });

  it('takes document sequences', async () => {
    const socket = await open();
    const documents = [{ _id: 1 }, { _id: 2 }].map((document) => serialize(document));
    socket.write(
      message(Buffer.concat([body({ insert: 'sequence', $db: 'wire' }), sequence('documents', documents)])),
    );
    expect(await reply(socket)).toMatchObject({ n: 2, ok: 1 });
    socket.destroy();
  });

  it('answers the handshake of old drivers by OP_QUERY', async () => {
    const socket = await open();
    const query = Buffer.concat([
      Buffer.alloc(4),
      Buffer.from('admin.$cmd\0'),
      int32(0),
      int32(-1),
      serialize({ ismaster: 1 }),
    ]);
    socket.write(frame(OP_QUERY, query));
    const [answer] = await readFrames(socket, 1);
    expect(answer?.readInt32LE(12)).toBe(1);
    expect(deserialize(answer?.subarray(36) as Buffer)).toMatchObject({ ismaster: true, ok: 1 });
    socket.destroy();
  });

  it('refuses checksums, which no driver sends', async () => {
    const socket = await open();
    socket.write(message(Buffer.concat([body(PING), int32(0x1234)]), { flags: 1 }));
    await closed(socket);
  });

  it('does not stream to a client that allows exhaust', async () => {
    const socket = await open();
    socket.write(message(body(PING), { flags: 1 << 16 }));
    const [answer] = await readFrames(socket, 1);
    expect(answer?.readUInt32LE(16)).toBe(0);
    socket.destroy();
  });
});

describe('a command whose client reads no reply', () => {
  it('is run, and the next one is answered', async () => {
    const socket = await open();
    socket.write(message(body(PING), { flags: 2, id: 7 }));
    socket.write(message(body(PING), { id: 8 }));
    const [answer] = await readFrames(socket, 1);
    expect(answer?.readInt32LE(8)).toBe(8);
    socket.destroy();
  });
});

describe('malformed bytes', () => {
  const deep = (levels: number) => {
    let document: Document = {};
    for (let i = 0; i < levels; i++) document = { a: document };
    return document;
  };

  it.each([
    ['a negative length', int32(-5)],
    ['a length below a header', int32(8)],
    ['a message over 48 MB', int32(49_000_000)],
    ['random bytes', Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')],
    ['an unknown operation', frame(999, Buffer.alloc(20))],
    ['compression, which was not agreed', frame(OP_COMPRESSED, Buffer.alloc(20))],
    ['an empty OP_MSG', frame(OP_MSG, Buffer.alloc(4))],
    ['an unknown required flag', message(body(PING), { flags: 4 })],
    ['an unknown section', message(Buffer.from([9, 5, 0, 0, 0, 0]))],
    ['two bodies', message(Buffer.concat([body(PING), body(PING)]))],
    ['a body that goes past the message', message(Buffer.from([0, 200, 0, 0, 0, 0]))],
    ['a body that is cut short inside', message(Buffer.from([0, 12, 0, 0, 0, 2, 97, 0, 99, 0, 0, 0, 0]))],
    [
      'a sequence without a name',
      message(Buffer.concat([body(PING), Buffer.from([1, 8, 0, 0, 0, 65, 65, 65, 65])])),
    ],
    [
      'a query that is not a handshake',
      frame(
        OP_QUERY,
        Buffer.concat([Buffer.alloc(4), Buffer.from('db.coll\0'), Buffer.alloc(8), serialize({})]),
      ),
    ],
    ['a body nested 5000 deep', message(body({ ping: deep(5000), $db: 'admin' }))],
  ])('%s closes that connection and no other', async (_name, bytes) => {
    const bystander = await open();
    const socket = await open();
    socket.write(bytes);
    await closed(socket);
    bystander.write(message(body(PING)));
    expect(await reply(bystander)).toMatchObject({ ok: 1 });
    bystander.destroy();
  });

  it('inside a document of a sequence is an error of the command', async () => {
    const socket = await open();
    const broken = Buffer.from([13, 0, 0, 0, 99, 97, 0, 1, 2, 3, 4, 5, 0]);
    socket.write(
      message(Buffer.concat([body({ insert: 'c', $db: 'wire' }), sequence('documents', [broken])])),
    );
    expect(await reply(socket)).toMatchObject({ ok: 1, writeErrors: [{ index: 0, code: 2 }] });
    socket.destroy();
  });

  it('a document nested deeper than 100 is refused, one of 99 levels is stored', async () => {
    const client = await MongoClient.connect(server.uri);
    const collection = client.db('wire').collection('deep');
    await collection.insertOne(deep(99));
    await expect(collection.insertOne(deep(130))).rejects.toMatchObject({ code: 15 });
    await client.close();
  });

  it('a client that does not read is not written to for ever, and others go on', async () => {
    const slow = await open();
    const client = await MongoClient.connect(server.uri);
    const collection = client.db('wire').collection('slow');
    await collection.insertOne({ text: 'x'.repeat(4_000_000) });
    slow.pause();
    const find = message(body({ find: 'slow', $db: 'wire' }));
    for (let i = 0; i < 200; i++) slow.write(find);
    expect(await collection.countDocuments()).toBe(1);
    expect(process.memoryUsage().rss).toBeLessThan(1_500_000_000);
    slow.destroy();
    await client.close();
  });
});

async function open(): Promise<Socket> {
  const { hostname, port } = new URL(server.uri);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

async function closed(socket: Socket): Promise<void> {
  socket.resume();
  if (!socket.closed) await once(socket, 'close');
}

async function readFrames(socket: Socket, count: number): Promise<Buffer[]> {
  let bytes = Buffer.alloc(0);
  const frames: Buffer[] = [];
  while (frames.length < count) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    bytes = Buffer.concat([bytes, chunk]);
    while (bytes.length >= 4 && bytes.length >= bytes.readInt32LE(0)) {
      const length = bytes.readInt32LE(0);
      frames.push(bytes.subarray(0, length));
      bytes = bytes.subarray(length);
    }
  }
  return frames;
}

async function reply(socket: Socket): Promise<Document> {
  const [answer] = await readFrames(socket, 1);
  return deserialize((answer as Buffer).subarray(21));
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

function frame(opCode: number, payload: Buffer, id = 1): Buffer {
  return Buffer.concat([int32(16 + payload.length), int32(id), int32(0), int32(opCode), payload]);
}

function message(sections: Buffer, { flags = 0, id = 1 } = {}): Buffer {
  return frame(OP_MSG, Buffer.concat([int32(flags), sections]), id);
}

function body(command: Document): Buffer {
  return Buffer.concat([Buffer.from([0]), serialize(command)]);
}

function sequence(name: string, documents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat([Buffer.from(`${name}\0`), ...documents]);
  return Buffer.concat([Buffer.from([1]), int32(content.length + 4), content]);
}
