import { type Connection, mongo } from 'mongoose';
import { WRITE_CONCERNS } from './connection-options.ts';

/**
 * Waits until every write that the server has acknowledged so far is durable: writes become durable in their order, so a
 * durable one confirms those before it. For writes that were found to exist already, perhaps of an attempt whose write
 * concern timed out.
 */
export async function confirmWrites(connection: Connection): Promise<void> {
  const meta = connection.getClient().db(connection.name).collection<{ _id: string; count: number }>('meta');
  // Each process writes the same document, and only its first write ever can collide with that of another.
  const confirm = () =>
    meta.updateOne(
      { _id: 'confirmed' },
      { $inc: { count: 1 } },
      { upsert: true, writeConcern: WRITE_CONCERNS.durable },
    );
  await confirm().catch((error: unknown) => {
    if (error instanceof mongo.MongoServerError && error.code === 11000) return confirm();
    throw error;
  });
}
