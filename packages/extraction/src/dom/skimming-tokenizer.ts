import { InsertionMode, type TokenHandler, Tokenizer, TokenizerMode } from 'parse5';

/** Insertion modes in which words and the white space between them are inserted in the same way. */
const WORD_JOINING_MODES: ReadonlySet<InsertionMode> = new Set([
  InsertionMode.IN_BODY,
  InsertionMode.IN_CELL,
  InsertionMode.IN_CAPTION,
  InsertionMode.TEXT,
]);

/** A parser, with the state that the tokenizer depends on. */
type TokenParser = TokenHandler & { readonly insertionMode: InsertionMode };

type CharacterTable = Readonly<Uint8Array>;

const SPACE = 0x20;
const ASCII_SIZE = 0x80;

/** ASCII characters without a special meaning in text. Carriage returns are left to the preprocessor. */
const WORD = tableOf((code) => code > SPACE && code < 0x7f && !'<&'.includes(String.fromCharCode(code)));
const TEXT = tableOf((code) => WORD[code] === 1 || code === SPACE || code === 0x09 || code === 0x0a);
/** Indentation, which the parser inserts apart from words. */
const INDENT = tableOf((code) => code === SPACE || code === 0x09 || code === 0x0a);
const DOUBLE_QUOTED = tableOf((code) => code >= SPACE && code < 0x7f && code !== 0x22 && code !== 0x26);
const SINGLE_QUOTED = tableOf((code) => code >= SPACE && code < 0x7f && code !== 0x27 && code !== 0x26);
const COMMENT = tableOf((code) => code >= SPACE && code < 0x7f && code !== 0x2d && code !== 0x3c);
/** Characters of names in lower case, which the tokenizer need not convert. */
const NAME = tableOf((code) => /[a-z0-9-]/.test(String.fromCharCode(code)));

/**
 * Tokenizer of parse5 that consumes a run of ordinary characters at once if they only extend the current
 * text, value, comment or name. parse5's own passes each character through its state machine. The trees are
 * the same. Listed in docs/decisions/patches.md, since it overrides protected methods.
 */
export class SkimmingTokenizer extends Tokenizer {
  readonly #parser: TokenParser;

  constructor(parser: TokenParser) {
    super({ sourceCodeLocationInfo: false }, parser);
    this.#parser = parser;
  }

  protected override _stateData(cp: number): void {
    super._stateData(cp);
    if (this.state === TokenizerMode.DATA) this.#skimText(cp);
  }

  protected override _stateRcdata(cp: number): void {
    super._stateRcdata(cp);
    if (this.state === TokenizerMode.RCDATA) this.#skimText(cp);
  }

  protected override _stateRawtext(cp: number): void {
    super._stateRawtext(cp);
    if (this.state === TokenizerMode.RAWTEXT) this.#skimText(cp);
  }

  protected override _stateScriptData(cp: number): void {
    super._stateScriptData(cp);
    if (this.state === TokenizerMode.SCRIPT_DATA) this.#skimText(cp);
  }

  protected override _statePlaintext(cp: number): void {
    super._statePlaintext(cp);
    this.#skimText(cp);
  }

  protected override _stateAttributeValueDoubleQuoted(cp: number): void {
    super._stateAttributeValueDoubleQuoted(cp);
    if (isOrdinary(cp, DOUBLE_QUOTED)) this.#skimRun(DOUBLE_QUOTED);
  }

  protected override _stateAttributeValueSingleQuoted(cp: number): void {
    super._stateAttributeValueSingleQuoted(cp);
    if (isOrdinary(cp, SINGLE_QUOTED)) this.#skimRun(SINGLE_QUOTED);
  }

  protected override _stateComment(cp: number): void {
    super._stateComment(cp);
    if (isOrdinary(cp, COMMENT)) this.#skimRun(COMMENT);
  }

  protected override _stateTagName(cp: number): void {
    super._stateTagName(cp);
    const token = this.currentToken;
    if (NAME[cp] === 1 && token && 'tagName' in token) token.tagName += this.#skimName();
  }

  protected override _stateAttributeName(cp: number): void {
    super._stateAttributeName(cp);
    if (NAME[cp] === 1) this.currentAttr.name += this.#skimName();
  }

  #skimText(cp: number): void {
    if (isOrdinary(cp, WORD)) this.#skimRun(WORD_JOINING_MODES.has(this.#parser.insertionMode) ? TEXT : WORD);
    else if (INDENT[cp] === 1 && this.#isAsWritten(cp)) this.#skimIndent();
  }

  /** Returns false for a carriage return, which the preprocessor turns into a line feed. */
  #isAsWritten(cp: number): boolean {
    const { html, pos } = this.preprocessor;
    return html.charCodeAt(pos) === cp;
  }

  #skimIndent(): void {
    const { html, pos } = this.preprocessor;
    let end = pos + 1;
    while (INDENT[html.charCodeAt(end)] === 1) end++;
    this.preprocessor.pos = end - 1;
    this.runEnd = end;
  }

  /** Extends the run from the current character to the end of the ordinary characters. */
  #skimRun(table: CharacterTable): void {
    const end = this.#endOf(table);
    this.preprocessor.pos = end - 1;
    this.runEnd = end;
  }

  #skimName(): string {
    const { preprocessor } = this;
    const start = preprocessor.pos + 1;
    const end = this.#endOf(NAME);
    preprocessor.pos = end - 1;
    const name = preprocessor.html.slice(start, end);
    // V8 keeps the whole page in memory for a slice of 13 or more characters; this makes a copy.
    return name.length < 13 ? name : ` ${name}`.slice(1);
  }

  /** Returns the position of the first character that is not ordinary; names have only the characters of their table. */
  #endOf(table: CharacterTable): number {
    const { html, pos } = this.preprocessor;
    let end = pos + 1;
    if (table === NAME) while (table[html.charCodeAt(end)] === 1) end++;
    else while (isOrdinary(html.charCodeAt(end), table)) end++;
    return end;
  }
}

/** Returns true for characters of the table and, beyond ASCII, all below the surrogates except control characters. False for NaN. */
function isOrdinary(code: number, table: CharacterTable): boolean {
  return code < ASCII_SIZE ? table[code] === 1 : code > 0x9f && code < 0xd800;
}

/** Returns a table of the ASCII characters that meet the condition. */
function tableOf(has: (code: number) => boolean): CharacterTable {
  return Uint8Array.from({ length: ASCII_SIZE }, (_, code) => Number(has(code)));
}
