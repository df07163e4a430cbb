import { MongoClient } from 'mongodb';
import { startMongoServer } from '../../src/index.ts';

/**
 * Run as a process of its own: serves the directory in argv, writes without pause, and reports each acknowledged
 * sequence number on stdout, until it is killed.
 */
const [, , dataDir = '', firstText = '0'] = process.argv;
const server = await startMongoServer({ dataDir });
const client = await MongoClient.connect(server.uri);
const collection = client
  .db('crash')
  .collection<{ sequence: number; tags: string[]; state: string; text: string; rounds?: number }>('writes');
await collection.createIndex({ sequence: 1 }, { unique: true });
await collection.createIndex({ tags: 1, sequence: -1 });
process.stdout.write('ready\n');

for (let sequence = Number(firstText); ; sequence++) {
  await collection.insertOne({
    sequence,
    tags: [`t${sequence % 7}`, 'all'],
    state: 'new',
    text: 'x'.repeat(sequence % 3000),
  });
  await collection.updateOne({ sequence }, { $set: { state: 'done' }, $push: { tags: 'done' } });
  if (sequence % 10 === 9)
    await collection.updateMany({ sequence: { $gt: sequence - 5 } }, { $inc: { rounds: 1 } });
  if (sequence % 4 === 3) await collection.deleteOne({ sequence: sequence - 3 });
  process.stdout.write(`${sequence}\n`);
}
