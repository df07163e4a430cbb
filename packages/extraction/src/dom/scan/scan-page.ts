import { decodeHTML } from 'entities/decode';
import { html } from 'parse5';
import type { Budget } from '../../budget.ts';
import { foldCase } from '../../css/code-points.ts';
import type { ProjectedRoot } from '../projection/parse-projection.ts';
import type { Projection } from '../projection/projection.ts';
import { readTag } from '../projection/read-tag.ts';
import { NAME } from '../skimming-tokenizer.ts';
import { TextBuffer } from '../text-buffer.ts';
import { endBeforeBody, openBody, startBeforeBody } from './before-body.ts';
import type { ElementKind } from './element-kinds.ts';
import { endInBody, endInSvg } from './end-in-body.ts';
import {
  endOfComment,
  endOfRawText,
  isDoctypeWithoutQuirks,
  isLetter,
  isNameEnd,
  isOnlySpace,
  lengthOfSpace,
} from './markup.ts';
import { Mode } from './mode.ts';
import { OpenElements } from './open-elements.ts';
import { endInSelect, startInSelect } from './select.ts';
import { Content, type ScanState, type StartTag, startInBody, startInSvg } from './start-in-body.ts';
import { closesCell, endInCell, endInTable, startInTable } from './tables.ts';
import { Trait } from './tag-rules.ts';
import { UnusualMarkupError, unusual } from './unusual.ts';

/**
 * Builds the projection of a page in one pass over its source, by those rules of HTML that pages usually need. Returns null
 * for a page that may need others: the whole parser reads it. See docs/decisions/projections.md.
 */
export function scanPage(source: string, projection: Projection, budget: Budget): ProjectedRoot | null {
  // The preprocessor of HTML replaces them, or the tokenizer does.
  if (source.includes('\0') || source.startsWith('\ufeff')) return null;
  const normalized = source.includes('\r') ? source.replaceAll(/\r\n?/g, '\n') : source;
  try {
    return new PageScan(normalized, projection, budget).run();
  } catch (error) {
    if (error instanceof UnusualMarkupError) return null;
    throw error;
  }
}

const [EXCLAMATION, SLASH, END, QUESTION] = [0x21, 0x2f, 0x3e, 0x3f] as const;
const LINE_FEED = 0x0a;
const NO_ATTRIBUTES: [] = [];

class PageScan implements ScanState {
  mode: Mode = Mode.initial;
  isQuirks = true;
  readonly open: OpenElements;
  readonly #source: string;
  readonly #texts = new TextBuffer();
  #hasDoctype = false;

  constructor(source: string, projection: Projection, budget: Budget) {
    this.#source = source;
    this.open = new OpenElements({ projection, texts: this.#texts, budget });
  }

  run(): ProjectedRoot {
    const source = this.#source;
    let at = 0;
    while (at < source.length) {
      let end = source.indexOf('<', at);
      if (end < 0) end = source.length;
      if (end > at) this.#text(at, end);
      at = end < source.length ? this.#markup(end) : end;
    }
    if (this.mode < Mode.body) openBody(this);
    this.#texts.flush();
    const mode = this.isQuirks ? html.DOCUMENT_MODE.QUIRKS : html.DOCUMENT_MODE.NO_QUIRKS;
    return { root: this.open.kept.root, mode };
  }

  /** Reads what starts with `<` at a position, and returns its end. */
  #markup(at: number): number {
    const source = this.#source;
    const code = source.charCodeAt(at + 1);
    if (isLetter(code)) return this.#startTag(at + 1);
    if (code === SLASH) {
      if (isLetter(source.charCodeAt(at + 2))) return this.#endTag(at + 2);
      if (source.charCodeAt(at + 2) === END) return at + 3;
      return this.#bogusComment(at);
    }
    if (code === EXCLAMATION) return this.#declaration(at);
    if (code === QUESTION) return this.#bogusComment(at);
    this.#text(at, at + 1);
    return at + 1;
  }

  #declaration(at: number): number {
    const source = this.#source;
    if (source.startsWith('--', at + 2)) return endOfComment(source, at);
    if (source.startsWith('[', at + 2)) unusual();
    if (foldCase(source.slice(at + 2, at + 9)) !== 'doctype') return this.#bogusComment(at);
    const end = source.indexOf('>', at) + 1;
    if (end === 0 || this.mode !== Mode.initial || this.#hasDoctype) unusual();
    if (!isDoctypeWithoutQuirks(source.slice(at, end))) unusual();
    this.#hasDoctype = true;
    this.isQuirks = false;
    return end;
  }

  #bogusComment(at: number): number {
    const end = this.#source.indexOf('>', at);
    return end < 0 ? unusual() : end + 1;
  }

  #startTag(at: number): number {
    const nameEnd = this.#endOfName(at);
    const kind = this.#kindOf(at, nameEnd);
    const source = this.#source;
    let end = nameEnd;
    let tag: StartTag;
    if (source.charCodeAt(nameEnd) === END) tag = { kind, attributes: NO_ATTRIBUTES, isSelfClosing: false };
    else {
      const rest = readTag(source, nameEnd, kind.wanted) ?? unusual();
      end = rest.end;
      tag = { kind, attributes: rest.attributes, isSelfClosing: rest.isSelfClosing };
    }
    return this.#content(kind, this.#start(tag), end + 1);
  }

  /** Reads content that is not markup, with its end tag; returns its end. */
  #content(kind: ElementKind, content: Content, at: number): number {
    if (content === Content.markup) return at;
    const source = this.#source;
    let from = at;
    if (content === Content.afterLineFeed || content === Content.textAfterLineFeed) {
      // A reference may stand for the line feed, and `</>` for nothing before it.
      if (source.startsWith('&', at) || source.startsWith('</>', at)) unusual();
      if (source.charCodeAt(at) === LINE_FEED) from += 1;
      if (content === Content.afterLineFeed) return from;
    }
    const end = endOfRawText(source, from, kind.name);
    if (end < 0) unusual();
    if (this.open.kept.isRead && end > from) {
      const text = source.slice(from, end);
      this.open.kept.text(content === Content.raw ? text : decode(text));
    }
    this.open.pop();
    const rest = readTag(source, end + 2 + kind.name.length) ?? unusual();
    return rest.end + 1;
  }

  #start(tag: StartTag): Content {
    if (this.open.svgDepth > 0) return startInSvg(tag, this);
    if (this.mode < Mode.body) {
      const content = startBeforeBody(tag, this);
      if (content !== undefined) return content;
    }
    if (this.mode === Mode.select) return startInSelect(tag, this);
    if (this.mode > Mode.select) return startInTable(tag, this);
    if (this.mode !== Mode.body && closesCell(tag, this)) return startInTable(tag, this);
    return startInBody(tag, this);
  }

  #endTag(at: number): number {
    const nameEnd = this.#endOfName(at);
    const kind = this.#kindOf(at, nameEnd);
    const source = this.#source;
    const end = source.charCodeAt(nameEnd) === END ? nameEnd : (readTag(source, nameEnd) ?? unusual()).end;
    if (this.open.svgDepth > 0) endInSvg(kind, this.open);
    else if (this.mode === Mode.body) endInBody(kind, this.open);
    else if (this.mode < Mode.body) endBeforeBody(kind, this);
    else if (this.mode === Mode.select) endInSelect(kind, this);
    else if (this.mode > Mode.select) endInTable(kind, this);
    else endInCell(kind, this);
    return end + 1;
  }

  #endOfName(at: number): number {
    const source = this.#source;
    let end = at;
    while (NAME[source.charCodeAt(end)] === 1) end++;
    while (!isNameEnd(source.charCodeAt(end))) end++;
    return end;
  }

  #kindOf(at: number, end: number): ElementKind {
    return this.open.kinds.of(this.#source.slice(at, end));
  }

  #text(from: number, end: number): void {
    if (this.open.svgDepth > 0 && (this.open.current.traits & Trait.integration) === 0)
      this.#insert(from, end);
    else if (this.mode < Mode.body) this.#textBeforeBody(from, end);
    else if (this.mode <= Mode.caption) {
      this.open.continueFormatting();
      this.#insert(from, end);
    } else {
      if (this.mode > Mode.select && !isOnlySpace(this.#source, from, end)) unusual();
      this.#insert(from, end);
    }
  }

  #textBeforeBody(from: number, end: number): void {
    const wordsStart = from + lengthOfSpace(this.#source, from, end);
    if (this.mode >= Mode.head) this.#insert(from, wordsStart);
    if (wordsStart === end) return;
    // A reference may stand for white space.
    if (this.#source.startsWith('&', wordsStart)) unusual();
    openBody(this);
    this.#insert(wordsStart, end);
  }

  #insert(from: number, end: number): void {
    if (this.open.kept.isRead && end > from) this.open.kept.text(decode(this.#source.slice(from, end)));
  }
}

function decode(text: string): string {
  return text.includes('&') ? decodeHTML(text) : text;
}
