import { REPLY_CODES, type ReplyName } from './reply-codes.ts';

/** A fault that the peer learns of by channel.close or connection.close, as its reply code demands. */
export class AmqpError extends Error {
  override readonly name = 'AmqpError';
  readonly replyName: ReplyName;
  /** Whether the channel alone or the whole connection ends. */
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
