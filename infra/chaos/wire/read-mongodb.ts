import type { WireEvent, WireReader } from './wire-proxy.ts';

const OP_MSG = 2013;
const REQUEST_ID_AT = 4;
const RESPONSE_TO_AT = 8;
const OP_CODE_AT = 12;
/** Offset of the document: header, flags, kind of the first section and length of the document come before. */
const FIRST_FIELD_AT = 25;
const STRING_TYPE = 2;

/** Reads MongoDB's OP_MSG: commands with their collections, and which of them a reply answers. */
export function createMongodbReader(): WireReader {
  const asked = new Map<number, Omit<WireEvent, 'from'>>();

  function describeReply(frame: Buffer): WireEvent | undefined {
    const id = frame.readInt32LE(RESPONSE_TO_AT);
    const command = asked.get(id);
    asked.delete(id);
    return command && { from: 'server', ...command };
  }

  return {
    frameLength: (bytes) => (bytes.length < 4 ? undefined : bytes.readInt32LE(0)),
    describe(from, frame) {
      if (from === 'server') return describeReply(frame);
      if (frame.readInt32LE(OP_CODE_AT) !== OP_MSG || frame[FIRST_FIELD_AT] !== STRING_TYPE) return undefined;
      const nameEnd = frame.indexOf(0, FIRST_FIELD_AT + 1);
      const name = frame.toString('utf8', FIRST_FIELD_AT + 1, nameEnd);
      const valueAt = nameEnd + 5;
      const subject = frame.toString('utf8', valueAt, valueAt + frame.readInt32LE(nameEnd + 1) - 1);
      asked.set(frame.readInt32LE(REQUEST_ID_AT), { name, subject });
      return { from, name, subject };
    },
  };
}
