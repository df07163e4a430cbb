/** Operation codes of the wire protocol (https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/). */
export const OpCode = { reply: 1, query: 2004, message: 2013 } as const;

/** Bytes of a message header: length, request id, response to, operation code. */
export const HEADER_BYTES = 16;

/** The largest message that `hello` allows, in bytes. */
export const MAX_MESSAGE_BYTES = 48_000_000;
