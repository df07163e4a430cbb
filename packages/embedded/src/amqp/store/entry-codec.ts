import { messageFromBytes, type QueueEntry } from '../messages/message.ts';
import { ByteReader } from '../wire/byte-reader.ts';
import { ByteWriter } from '../wire/byte-writer.ts';

/** History of an entry, stored beside its bytes. */
export interface EntryHistory {
  readonly isRedelivered: boolean;
  readonly returnCount: number;
}

const KEY_BYTES = 12;
const TWO_TO_32 = 0x1_0000_0000;

/** Returns the key of an entry: queue, then position, so that a range of keys is a queue in order. */
export function entryKey(queueId: number, position: number): Buffer {
  const key = Buffer.allocUnsafe(KEY_BYTES);
  key.writeUInt32BE(queueId, 0);
  key.writeUInt32BE(Math.floor(position / TWO_TO_32), 4);
  key.writeUInt32BE(position % TWO_TO_32, 8);
  return key;
}

/** Returns the queue and the position of a key. */
export function readEntryKey(key: Buffer): { queueId: number; position: number } {
  return { queueId: key.readUInt32BE(0), position: key.readUInt32BE(4) * TWO_TO_32 + key.readUInt32BE(8) };
}

/** Returns the stored form of an entry: a byte that is not used, time to live, exchange, routing key, properties, body. */
export function encodeEntry({ message, expiresAtMs }: QueueEntry): Buffer {
  const writer = new ByteWriter(message.propertyBytes.length + message.body.length + 600);
  writer.uint8(0);
  writer.uint64(BigInt(expiresAtMs ?? 0));
  writer.shortString(message.exchange);
  writer.shortString(message.routingKey);
  writer.uint32(message.propertyBytes.length);
  writer.bytes(message.propertyBytes);
  writer.uint32(message.body.length);
  writer.bytes(message.body);
  return writer.take();
}

/** Reads the form of `encodeEntry`; the entry keeps a reference to the bytes. */
export function decodeEntry(position: number, value: Buffer, history: EntryHistory): QueueEntry {
  const reader = new ByteReader(value);
  reader.uint8();
  const expiresAtMs = Number(reader.uint64());
  const exchange = reader.shortString();
  const routingKey = reader.shortString();
  const propertyBytes = reader.slice(reader.uint32());
  const body = reader.slice(reader.uint32());
  return {
    position,
    message: messageFromBytes(exchange, routingKey, propertyBytes, body),
    expiresAtMs: expiresAtMs === 0 ? undefined : expiresAtMs,
    isStored: true,
    ...history,
  };
}
