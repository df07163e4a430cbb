/** A message on the wire: an AMQP method with its routing key, or a MongoDB command with its collection. */
export interface WireEvent {
  readonly from: 'client' | 'server';
  /** `publish`, `confirm`, `deliver`, `ack`, or a MongoDB command; for the reply of a server, the command that it answers. */
  readonly name: string;
  readonly subject: string;
}

/** Decodes the frames of one connection, in their order. */
export interface WireReader {
  /** Returns the length of the frame that begins here, in bytes; undefined while too few bytes have arrived. */
  frameLength(bytes: Buffer): number | undefined;
  /** Decodes a whole frame; undefined when it is not of interest. */
  describe(from: WireEvent['from'], frame: Buffer): WireEvent | undefined;
}
