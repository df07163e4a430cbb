/** A token may be as long as a selector. */
const MAX_MESSAGE_CHARS = 300;

/** Why a selector does not parse, in words for its author; never leaves the package. */
export class SelectorError extends Error {
  override readonly name = 'SelectorError';
  /** Whether it is refused even where a forgiving list drops what does not parse. */
  readonly isFatal: boolean;

  constructor(message: string, { isFatal = false } = {}) {
    super(message.length > MAX_MESSAGE_CHARS ? `${message.slice(0, MAX_MESSAGE_CHARS)}…` : message);
    this.isFatal = isFatal;
  }
}
