import { HEADER_BYTES, OpCode } from './op-codes.ts';

/** Encodes a reply as OP_MSG, or as OP_REPLY when the request was an OP_QUERY. `body` is one BSON document. */
export function encodeReply(
  body: Buffer,
  request: { requestId: number; opCode: number },
  replyId: number,
): Buffer {
  const isLegacy = request.opCode === OpCode.query;
  const head = Buffer.alloc(HEADER_BYTES + (isLegacy ? 20 : 5));
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(replyId, 4);
  head.writeInt32LE(request.requestId, 8);
  head.writeInt32LE(isLegacy ? OpCode.reply : OpCode.message, 12);
  if (isLegacy) {
    head.writeInt32LE(AWAIT_CAPABLE, HEADER_BYTES);
    head.writeInt32LE(1, HEADER_BYTES + 16);
  }
  return Buffer.concat([head, body], head.length + body.length);
}

const AWAIT_CAPABLE = 8;
