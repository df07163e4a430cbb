/**
 * The reply codes of AMQP 0-9-1 (section 1.2 of the reference) and what each one closes.
 * A soft error ends the channel alone, a hard one the whole connection.
 */
export const REPLY_CODES = {
  CONTENT_TOO_LARGE: { code: 311, closes: 'channel' },
  NO_ROUTE: { code: 312, closes: 'channel' },
  CONNECTION_FORCED: { code: 320, closes: 'connection' },
  ACCESS_REFUSED: { code: 403, closes: 'channel' },
  NOT_FOUND: { code: 404, closes: 'channel' },
  RESOURCE_LOCKED: { code: 405, closes: 'channel' },
  PRECONDITION_FAILED: { code: 406, closes: 'channel' },
  FRAME_ERROR: { code: 501, closes: 'connection' },
  SYNTAX_ERROR: { code: 502, closes: 'connection' },
  COMMAND_INVALID: { code: 503, closes: 'connection' },
  CHANNEL_ERROR: { code: 504, closes: 'connection' },
  UNEXPECTED_FRAME: { code: 505, closes: 'connection' },
  RESOURCE_ERROR: { code: 506, closes: 'connection' },
  NOT_ALLOWED: { code: 530, closes: 'connection' },
  NOT_IMPLEMENTED: { code: 540, closes: 'connection' },
  INTERNAL_ERROR: { code: 541, closes: 'connection' },
} as const satisfies Record<string, { code: number; closes: 'channel' | 'connection' }>;

/** Returns the name of a reply code, with which every reply text begins. */
type ReplyName = keyof typeof REPLY_CODES;

/** An error that is sent to the client as channel.close or connection.close, depending on its reply code. */
export class AmqpError extends Error {
  override readonly name = 'AmqpError';
  readonly replyName: ReplyName;
  /** Closed by the error: the channel alone, or the whole connection. */
  readonly closes: 'channel' | 'connection';

  constructor(replyName: ReplyName, explanation: string, closes = REPLY_CODES[replyName].closes) {
    super(explanation);
    this.replyName = replyName;
    this.closes = closes;
  }

  get replyCode(): number {
    return REPLY_CODES[this.replyName].code;
  }

  /** `NAME - explanation`, cut to the 255 bytes of a short string. */
  get replyText(): string {
    const text = `${this.replyName} - ${this.message}`;
    let end = Math.min(text.length, 255);
    while (Buffer.byteLength(text.slice(0, end)) > 255) end -= 1;
    return text.slice(0, end);
  }
}
