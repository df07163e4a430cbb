/** Bytes that are no message: the connection that sent them is closed, as mongod does. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}
