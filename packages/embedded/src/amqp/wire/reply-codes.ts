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
export type ReplyName = keyof typeof REPLY_CODES;
