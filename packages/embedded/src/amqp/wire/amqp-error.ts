import { REPLY_CODES, type ReplyName } from './reply-codes.ts';

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
