import { Token, type TokenHandler, TokenizerMode } from 'parse5';
import { NAME, type ParserState, SkimmingTokenizer, tableOf } from '../skimming-tokenizer.ts';
import type { Projection } from './projection.ts';
import { readTag } from './read-tag.ts';

/**
 * Elements that the parser treats by their attributes: integration points, hidden fields, shadow roots, and formatting
 * elements, of which it keeps at most three with equal attributes (HTML §13.2.4.3). Of `a`, no two are ever kept.
 */
const READ_WHOLE = new Set(
  'annotation-xml b big code em font i input nobr s small strike strong template tt u'.split(' '),
);

/** Characters behind a name that has come to its end. */
const AFTER_NAME = tableOf((code) => '\t\n\f\r />'.includes(String.fromCharCode(code)));
/** Names that are kept as one instance each, so that they are hashed once. */
const MAX_NAMES = 1000;

/** Tokenizer that reads only the attributes of a projection, and does not copy texts, most of which are left out. */
export class ProjectingTokenizer extends SkimmingTokenizer {
  readonly #projection: Projection;
  readonly #names = new Map<string, string>();

  constructor(handler: TokenHandler, parserState: ParserState, projection: Projection) {
    super(handler, parserState);
    this.#projection = projection;
  }

  protected override _stateTagName(cp: number): void {
    const token = this.currentToken;
    const isNew = token !== null && 'tagName' in token && token.tagName === '' && NAME[cp] === 1;
    if (isNew) token.tagName = this.#readName();
    else super._stateTagName(cp);
    if (token === null || !('tagName' in token) || AFTER_NAME[cp] === 1) return;
    const { html, pos } = this.preprocessor;
    if (AFTER_NAME[html.charCodeAt(pos + 1)] === 1) this.#readRest(token, html, pos + 1);
  }

  /** Takes texts as slices of the page, which is in memory anyway until its values have been read. */
  protected override _flushRun(text: string): void {
    const { currentCharacterToken: token } = this;
    if (this.currentToken !== null || token === null) {
      super._flushRun(text);
      return;
    }
    token.chars += this.preprocessor.html.slice(this.runStart, this.runEnd) + text;
    this.runStart = this.runEnd;
  }

  /** Reads a name from its first character on. */
  #readName(): string {
    const {
      preprocessor,
      preprocessor: { html, pos },
    } = this;
    let end = pos + 1;
    while (NAME[html.charCodeAt(end)] === 1) end++;
    preprocessor.pos = end - 1;
    const name = html.slice(pos, end);
    const known = this.#names.get(name);
    if (known === undefined && this.#names.size < MAX_NAMES) this.#names.set(name, name);
    return known ?? name;
  }

  #readRest(token: Token.TagToken, html: string, start: number): void {
    const rest = this.#isReadWhole(token) ? null : readTag(html, start, this.#wantedOf(token));
    if (rest === null) return;
    token.attrs = rest.attributes;
    token.selfClosing = rest.isSelfClosing;
    this.preprocessor.pos = rest.end;
    this.state = TokenizerMode.DATA;
    this.emitCurrentTagToken();
  }

  #isReadWhole({ type, tagName }: Token.TagToken): boolean {
    return type === Token.TokenType.START_TAG && READ_WHOLE.has(tagName);
  }

  #wantedOf({ type, tagName }: Token.TagToken): ReadonlySet<string> | undefined {
    const { names, markers, attributes } = this.#projection;
    if (type !== Token.TokenType.START_TAG) return undefined;
    // The parser takes `image` for `img`.
    const mayBeKept = names === null || markers.size > 0 || names.has(tagName) || tagName === 'image';
    return mayBeKept ? attributes : undefined;
  }
}
