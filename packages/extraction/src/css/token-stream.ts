import type { CssToken, TokenizedCss } from './tokenize.ts';

/** Reads tokens in order; the inside of a block is read through the same stream with an earlier end. */
export class TokenStream {
  readonly #css: TokenizedCss;
  #position = 0;
  #end: number;

  constructor(css: TokenizedCss) {
    this.#css = css;
    this.#end = css.tokens.length;
  }

  /** Returns the next token, or undefined at the end of the innermost block being read. */
  peek(ahead = 0): CssToken | undefined {
    const index = this.#position + ahead;
    return index < this.#end ? this.#css.tokens[index] : undefined;
  }

  /** Returns true if the next token has the type and the value, if one is given. */
  isAt(type: CssToken['type'], value?: string): boolean {
    const token = this.peek();
    return token?.type === type && (value === undefined || token.value === value);
  }

  /** Takes the next token. */
  next(): CssToken | undefined {
    const token = this.peek();
    if (token) this.#position++;
    return token;
  }

  /** Takes the next token if it has the type and value. */
  take(type: CssToken['type'], value?: string): CssToken | undefined {
    return this.isAt(type, value) ? this.next() : undefined;
  }

  /** Skips white space; returns true if there was any. */
  skipWhitespace(): boolean {
    let isFound = false;
    while (this.take('whitespace')) isFound = true;
    return isFound;
  }

  /** Skips everything up to the next comma outside of blocks, or the end. */
  skipToComma(): void {
    for (let token = this.peek(); token && token.type !== 'comma'; token = this.peek()) {
      this.#position = token.close === undefined ? this.#position + 1 : Math.min(token.close + 1, this.#end);
    }
  }

  /** Takes an opening token and its closing token, and reads the tokens between them with `read`. */
  inBlock<T>(read: (opener: CssToken) => T): T {
    const opener = this.next() as CssToken;
    const close = Math.min(opener.close as number, this.#end);
    const outerEnd = this.#end;
    this.#end = close;
    const result = read(opener);
    this.#position = Math.min(close + 1, outerEnd);
    this.#end = outerEnd;
    return result;
  }

  /** Runs `read`; if it throws, returns to the starting position and rethrows. */
  attempt<T>(read: () => T): T {
    const [position, end] = [this.#position, this.#end];
    try {
      return read();
    } catch (error) {
      this.#position = position;
      this.#end = end;
      throw error;
    }
  }

  /** Returns the next token as written, for messages. */
  describe(): string {
    const token = this.peek();
    if (!token) return 'the end';
    return `"${this.#css.source.slice(token.start, token.end)}"`;
  }
}
