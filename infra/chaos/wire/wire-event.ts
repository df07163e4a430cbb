/** Who sent what: an AMQP method with its routing key, or a MongoDB command with its collection. */
export interface WireEvent {
  readonly from: 'client' | 'server';
  /** `publish`, `confirm`, `deliver`, `ack`, or a MongoDB command; of a server's reply, the command that it answers. */
  readonly name: string;
  readonly subject: string;
}

/** Understands one connection; reads frames in the order in which they pass. */
export interface WireReader {
  /** How many bytes the frame has that begins here; undefined while that can't be known. */
  frameLength(bytes: Buffer): number | undefined;
  /** What a whole frame says, where that is of interest. */
  describe(from: WireEvent['from'], frame: Buffer): WireEvent | undefined;
}
