import type { WireEvent, WireReader } from './wire-proxy.ts';

const GREETING = Buffer.from('AMQP');
const GREETING_BYTES = 8;
const HEADER_BYTES = 7;
const METHOD_FRAME = 1;
const BASIC_CLASS = 60;
const ARGUMENTS_AT = 11;
const METHODS: Readonly<Record<number, string>> = { 40: 'publish', 60: 'deliver', 80: 'ack' };

/** Reads AMQP 0-9-1: what is published, confirmed, delivered and acknowledged, each with its routing key. */
export function createAmqpReader(): WireReader {
  const published = new Map<number, string[]>();
  const confirmed = new Map<number, number>();
  const delivered = new Map<number, string>();

  function describeBasic(from: WireEvent['from'], name: string, frame: Buffer): WireEvent {
    const channel = frame.readUInt16BE(1);
    if (name === 'publish') {
      const { next } = readText(frame, ARGUMENTS_AT + 2);
      const { text: subject } = readText(frame, next);
      const subjects = published.get(channel) ?? [];
      subjects.push(subject);
      published.set(channel, subjects);
      return { from, name, subject };
    }
    if (name === 'deliver') {
      const { next: afterTag } = readText(frame, ARGUMENTS_AT);
      const { next: afterExchange } = readText(frame, afterTag + 9);
      const { text: subject } = readText(frame, afterExchange);
      delivered.set(channel, subject);
      return { from, name, subject };
    }
    if (from === 'server') {
      const upTo = Number(frame.readBigUInt64BE(ARGUMENTS_AT));
      return { from, name: 'confirm', subject: takeConfirmed(channel, upTo) };
    }
    return { from, name, subject: delivered.get(channel) ?? '' };
  }

  /** Returns the last message for a queue among those published up to this number and not confirmed before. */
  function takeConfirmed(channel: number, upTo: number): string {
    const subjects = published.get(channel) ?? [];
    const count = upTo - (confirmed.get(channel) ?? 0);
    published.set(channel, subjects.slice(Math.max(0, count)));
    confirmed.set(channel, Math.max(upTo, confirmed.get(channel) ?? 0));
    return subjects.slice(0, Math.max(0, count)).findLast((subject) => subject !== '') ?? '';
  }

  return {
    frameLength(bytes) {
      if (bytes.subarray(0, GREETING.length).equals(GREETING)) return GREETING_BYTES;
      return bytes.length < HEADER_BYTES ? undefined : HEADER_BYTES + bytes.readUInt32BE(3) + 1;
    },
    describe(from, frame) {
      if (frame[0] !== METHOD_FRAME || frame.readUInt16BE(HEADER_BYTES) !== BASIC_CLASS) return undefined;
      const name = METHODS[frame.readUInt16BE(HEADER_BYTES + 2)];
      return name === undefined ? undefined : describeBasic(from, name, frame);
    },
  };
}

function readText(frame: Buffer, at: number): { text: string; next: number } {
  const next = at + 1 + (frame[at] ?? 0);
  return { text: frame.toString('latin1', at + 1, next), next };
}
