/** Kind of a mark: a property of a span of text that markdown shows by delimiters around it. */
export type MarkKind = 'emphasis' | 'strong' | 'strikethrough' | 'superscript' | 'subscript' | 'link';

/** A mark; links also have an absolute URL and may have a title. */
export interface Mark {
  readonly kind: MarkKind;
  readonly url?: string;
  readonly title?: string;
}

/** A piece of a line of text: raw text or code, finished markup (`atom`), or an end of a mark. */
export type InlineToken =
  | { readonly kind: 'text' | 'code' | 'atom'; value: string }
  | { readonly kind: 'open' | 'close'; readonly mark: Mark };

/** Line break inside a text token; all other white space of the page is collapsed to spaces. */
export const BREAK = '\n';

/**
 * Collects the text of one block and its marks. White space at the edges of a mark moves outside, because delimiters next
 * to white space are not recognized; marks without content are left out, and equal marks side by side are merged.
 */
export class InlineRun {
  readonly tokens: InlineToken[] = [];
  /** True once there is something to see. */
  hasContent = false;
  /** True if only white space has followed the last line break. */
  endsInBreak = false;
  #endsInSpace = true;

  /** Adds text or code; collapses its white space with what precedes it. */
  add(kind: 'text' | 'code', raw: string): void {
    const collapsed = raw.replace(/[\t\n\f\r ]+/g, ' ');
    this.#push(kind, this.#endsInSpace && collapsed.startsWith(' ') ? collapsed.slice(1) : collapsed);
  }

  /** Adds a line break, unless the run is at its start. */
  addBreak(): void {
    if (!this.hasContent) return;
    this.#push('text', BREAK);
    this.endsInBreak = true;
    this.#endsInSpace = true;
  }

  /** Adds finished markup, such as an image. */
  addAtom(markup: string): void {
    this.tokens.push({ kind: 'atom', value: markup });
    this.#notice();
    this.#endsInSpace = false;
  }

  /** Starts a mark. */
  open(mark: Mark): void {
    const last = this.tokens.at(-1);
    if (last?.kind === 'close' && last.mark.kind === mark.kind && mark.kind !== 'link') this.tokens.pop();
    else this.tokens.push({ kind: 'open', mark });
  }

  /** Ends the mark that was started last. */
  close(mark: Mark): void {
    const trailing = this.#takeTrailingSpace();
    const last = this.tokens.at(-1);
    if (last?.kind === 'open') this.tokens.pop();
    else this.tokens.push({ kind: 'close', mark });
    if (trailing !== '') this.tokens.push({ kind: 'text', value: trailing });
  }

  #push(kind: 'text' | 'code', value: string): void {
    if (value === '') return;
    if (/\S/.test(value)) this.#notice();
    else if (!this.hasContent) return;
    this.#endsInSpace = value.endsWith(' ');
    const rest = this.tokens.at(-1)?.kind === 'open' ? value.trimStart() : value;
    const space = value.slice(0, value.length - rest.length);
    if (space !== '') this.#insertBeforeOpenMarks(space);
    if (rest !== '') this.tokens.push({ kind, value: rest });
  }

  #notice(): void {
    this.hasContent = true;
    this.endsInBreak = false;
  }

  #insertBeforeOpenMarks(space: string): void {
    let index = this.tokens.length;
    while (this.tokens[index - 1]?.kind === 'open') index--;
    this.tokens.splice(index, 0, { kind: 'text', value: space });
  }

  #takeTrailingSpace(): string {
    let space = '';
    for (let last = this.tokens.at(-1); last?.kind === 'text' || last?.kind === 'code'; ) {
      const kept = last.value.trimEnd();
      space = last.value.slice(kept.length) + space;
      last.value = kept;
      if (kept !== '') break;
      this.tokens.pop();
      last = this.tokens.at(-1);
    }
    return space;
  }
}
