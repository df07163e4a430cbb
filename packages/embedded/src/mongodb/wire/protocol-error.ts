/** Bytes that are not a valid message: their connection is closed, as by mongod. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}
