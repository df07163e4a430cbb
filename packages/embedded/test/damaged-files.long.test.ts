import { cp, mkdtemp, open, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { startAmqpServer, startMongoServer } from '../src/index.ts';
import { openChannel, openConnection, send } from './amqp/fixture.ts';

const HEADER_BYTES = 8192;
const DOCUMENTS = 500;
const MESSAGES = 20;

let template: string;
let folder: string;

beforeAll(async () => {
  template = await mkdtemp(join(tmpdir(), 'gleaner-damage-'));
  await fillDatabase(join(template, 'database'));
  await fillBroker(join(template, 'broker'));
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gleaner-damage-'));
  await cp(template, folder, { recursive: true });
});
afterEach(() => rm(folder, { recursive: true }));
afterAll(() => rm(template, { recursive: true }));

describe('a database with damaged files', () => {
  const dataFile = () => join(folder, 'database', 'data.mdb');
  const checkpoint = () => join(folder, 'database', 'checkpoint');

  it.each([
    ['both first pages', 0, HEADER_BYTES],
    ['the first page', 0, HEADER_BYTES / 2],
    ['the second page', HEADER_BYTES / 2, HEADER_BYTES / 2],
  ])('returns to its checkpoint when %s of data.mdb are overwritten', async (_, at, length) => {
    await overwrite(dataFile(), at, length);
    expect(await countDocuments()).toBe(DOCUMENTS);
  });

  it('starts with one damaged checkpoint', async () => {
    await overwrite(checkpoint(), 100, 100);
    expect(await countDocuments()).toBe(DOCUMENTS);
  });

  it('names the checkpoint file and the remedies when it is damaged throughout', async () => {
    await overwrite(checkpoint(), 0, (await stat(checkpoint())).size);
    await expect(countDocuments()).rejects.toThrow(
      new RegExp(
        `${checkpoint()} is damaged: .* Restore the folder ${join(folder, 'database')} from a backup.* delete this file`,
      ),
    );
    await rm(checkpoint());
    expect(await countDocuments()).toBe(DOCUMENTS);
  });

  it.each([
    ['is cut in half', async () => truncate(dataFile(), Math.floor((await stat(dataFile())).size / 2))],
    ['has only its first pages', () => truncate(dataFile(), HEADER_BYTES)],
    ['is empty', () => truncate(dataFile(), 0)],
    ['is missing', () => rm(dataFile())],
    ['holds zeros from the third page on', () => clearRest(dataFile())],
  ])('names data.mdb and the remedy when it %s', async (_, damage) => {
    await damage();
    await expect(countDocuments()).rejects.toThrow(
      new RegExp(
        `${dataFile()} is damaged: .* Restore the folder ${join(folder, 'database')} from a backup, or move it away`,
      ),
    );
  });

  it('starts with a file that ends before pages that are not used', async () => {
    const before = await readFile(dataFile());
    const lastPage = Math.max(...[0, 4096].map((at) => Number(before.readBigUInt64LE(at + 144))));
    for (const at of [0, 4096]) before.writeBigUInt64LE(BigInt(lastPage + 5), at + 144);
    await writeFile(dataFile(), before);
    expect(await countDocuments()).toBe(DOCUMENTS);
  });

  async function countDocuments(): Promise<number> {
    const server = await startMongoServer({ dataDir: join(folder, 'database') });
    const client = await MongoClient.connect(server.uri);
    try {
      return await client.db('test').collection('c').countDocuments();
    } finally {
      await client.close();
      await server.close();
    }
  }
});

describe('a broker with damaged files', () => {
  const dataFile = () => join(folder, 'broker', 'amqp', 'data.mdb');

  it.each([
    ['has overwritten first pages', () => overwrite(dataFile(), 0, HEADER_BYTES)],
    ['has lost its end', async () => truncate(dataFile(), Math.floor((await stat(dataFile())).size / 2))],
    ['holds zeros from the third page on', () => clearRest(dataFile())],
  ])('names data.mdb and the remedy when it %s', async (_, damage) => {
    await damage();
    await expect(startAmqpServer({ dataDir: join(folder, 'broker') })).rejects.toThrow(
      new RegExp(
        `${dataFile()} is damaged: .* Restore the folder ${join(folder, 'broker', 'amqp')} from a backup, or move it away`,
      ),
    );
  });
});

describe('a large broker file', () => {
  it.each([0.9, 0.75, 0.5, 0.25, 0.1])('is named when only %s of it are left', async (part) => {
    const dataDir = join(folder, 'large');
    await fillBroker(dataDir, 3000);
    const file = join(dataDir, 'amqp', 'data.mdb');
    const { size } = await stat(file);
    await truncate(file, Math.floor((size * part) / 4096) * 4096);
    await expect(startAmqpServer({ dataDir })).rejects.toThrow(`The file ${file} is damaged: `);
  });
});

async function fillDatabase(dataDir: string): Promise<void> {
  const server = await startMongoServer({ dataDir });
  const client = await MongoClient.connect(server.uri);
  const documents = Array.from({ length: DOCUMENTS }, (_, i) => ({ i, text: 'x'.repeat(i % 300) }));
  await client.db('test').collection('c').insertMany(documents);
  await client.close();
  await server.close();
}

async function fillBroker(dataDir: string, messages = MESSAGES): Promise<void> {
  const server = await startAmqpServer({ dataDir });
  const connection = await openConnection(server.url);
  const channel = await openChannel(connection);
  await channel.assertQueue('kept', { durable: true });
  await send(
    channel,
    'kept',
    Array.from({ length: messages }, (_, i) => `${i}`.repeat(i < MESSAGES ? 3000 : 300)),
  );
  await connection.close();
  await server.close();
}

async function overwrite(path: string, at: number, length: number): Promise<void> {
  const file = await open(path, 'r+');
  await file.write(Buffer.alloc(length, 0xab), 0, length, at);
  await file.close();
}

async function clearRest(path: string): Promise<void> {
  const { size } = await stat(path);
  await truncate(path, HEADER_BYTES);
  await truncate(path, size);
}
