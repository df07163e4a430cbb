import type { Budget } from '../budget.ts';
import type { Node } from '../dom/node.ts';
import { BlockWriter } from './block-writer.ts';
import { type InlinePlace, inlineMarkup } from './inline-markup.ts';
import { InlineRun, type Mark } from './inline-run.ts';
import { type ListState, signsOf, takeMarker } from './list-state.ts';
import type { CellShape, TableRows } from './table-rows.ts';

/** Characters of URLs that are repeated because a link goes on in another block. */
const MAX_REPEATED_URL_CHARS = 256 * 1024;

/** Writes the text, the marks and the blocks of a page as markdown, in document order. */
export class MarkdownWriter {
  readonly budget: Budget;
  readonly blocks: BlockWriter;
  /** Lists around the current place. */
  readonly lists: ListState[] = [];
  place: InlinePlace = 'flow';
  table: TableRows | null = null;
  #run = new InlineRun();
  readonly #marks: Mark[] = [];
  /** Links that go on in too many blocks. */
  readonly #dropped = new Set<Mark>();
  /** True once the marks have been opened in the current block. */
  #isResumed = false;
  /** Number of code elements around the current place. */
  codeDepth = 0;
  #headingLevel = 0;
  #repeatableUrlChars = MAX_REPEATED_URL_CHARS;
  /** Box of the task whose text comes next, or ''. */
  #task = '';
  /** Sign of the list that ended just before, or ''. */
  #lastListSign = '';

  constructor(budget: Budget) {
    this.budget = budget;
    this.blocks = new BlockWriter(budget);
  }

  /** Adds text, or code inside of code elements. Escaping it takes up to a step for each character. */
  text(value: string): void {
    this.budget.spend(1 + value.length);
    this.#resumeMarks();
    this.#run.add(this.codeDepth > 0 && this.#fitsCode(value) ? 'code' : 'text', value);
  }

  /** Adds finished markup. */
  atom(markup: string): void {
    this.#resumeMarks();
    this.#run.addAtom(markup);
  }

  /** Adds a line break; the second in a row ends the paragraph. */
  lineBreak(): void {
    if (this.place === 'flow' && this.#run.endsInBreak) this.flush();
    else this.#run.addBreak();
  }

  /** Makes the item that was just started a task. */
  markTask(box: string): void {
    if (this.place === 'flow' && this.blocks.isAtItemStart && !this.#run.hasContent) this.#task = box;
  }

  /** Starts a mark; returns false for one that is there already, or inside of code. */
  openMark(mark: Mark): boolean {
    const isKnown = this.#marks.some(({ kind }) => kind === mark.kind);
    if (isKnown || (this.codeDepth > 0 && mark.kind !== 'link')) return false;
    if (this.#isResumed) this.#run.open(mark);
    this.#marks.push(mark);
    return true;
  }

  /** Ends the mark that was started last. */
  closeMark(): void {
    const mark = this.#marks.pop();
    if (mark && this.#isResumed && !this.#dropped.has(mark)) this.#run.close(mark);
  }

  /** Ends the paragraph, or the line where there are no paragraphs. */
  boundary(): void {
    if (this.place === 'flow') this.flush();
    else if (this.place === 'cell') this.#breakCell();
    else this.#run.add('text', ' ');
  }

  /** Writes the paragraph, if there is one. */
  flush(): void {
    const markup = this.#takeInline();
    if (markup !== '') this.writeBlock(`${this.#task}${markup}`.split('\n'));
  }

  /** Writes a block of lines. */
  writeBlock(lines: readonly string[]): void {
    if (lines.length === 0) return;
    this.#lastListSign = '';
    this.#task = '';
    this.blocks.write(lines);
  }

  /** Starts a heading; its blocks are joined into one line. */
  openHeading(level: number): void {
    this.flush();
    this.place = 'heading';
    this.#headingLevel = level;
  }

  /** Writes the heading, unless it is empty. */
  closeHeading(): void {
    const markup = this.#takeInline();
    this.place = 'flow';
    if (markup !== '') this.writeBlock([`${'#'.repeat(this.#headingLevel)} ${markup}`]);
  }

  /** Starts a cell of the current table. */
  openCell(): void {
    this.#takeInline();
    this.place = 'cell';
  }

  /** Adds the cell to the current table. */
  closeCell(shape: CellShape): void {
    const markup = this.#takeInline();
    this.place = 'flow';
    this.table?.addCell(markup, shape);
  }

  /** Starts a quote. Returns false if it is nested too deep to be shown as one. */
  openQuote(): boolean {
    this.#task = '';
    return this.blocks.open('> ', '> ');
  }

  /** Ends the quote, and what a list behind it could continue. */
  closeQuote(): void {
    this.flush();
    this.blocks.close();
    this.#lastListSign = '';
  }

  /** Starts a list. */
  openList(list: ListState): void {
    if (!this.blocks.isAtContainerStart) this.blocks.isGapless = this.#isGapless(list);
    this.lists.push(list);
  }

  /** Ends the list that was started last. */
  closeList(): void {
    const list = this.lists.pop();
    this.blocks.isGapless = false;
    if (list && list.endLine === this.blocks.lineCount) this.#lastListSign = list.sign;
  }

  /** Starts an item of the list that was started last. Returns false if it is nested too deep to be shown as one. */
  openItem(item: Node): boolean {
    const list = this.lists.at(-1);
    this.#task = '';
    if (list?.width === 0) list.sign = this.#signOf(list);
    const marker = list ? takeMarker(list, item) : '- ';
    if (list) list.width = marker.length;
    if (!this.blocks.open(marker, ' '.repeat(marker.length))) return false;
    if (list?.isTight && list.endLine === this.blocks.lineCount) this.blocks.isGapless = true;
    if (list) list.isInItem = true;
    return true;
  }

  /** Goes on with the last item of the list, which `closeItem` ends. Returns false if no item is open, or nested too deep. */
  reopenItem(): boolean {
    const list = this.lists.at(-1);
    if (!list || list.width === 0 || list.endLine === -1) return false;
    const indent = ' '.repeat(list.width);
    list.isInItem = this.blocks.open(indent, indent);
    return list.isInItem;
  }

  /** Ends the item. */
  closeItem(): void {
    const list = this.lists.at(-1);
    const isEmpty = this.blocks.isAtContainerStart;
    this.#task = '';
    this.blocks.close();
    if (!list) return;
    list.isInItem = false;
    if (!isEmpty) list.endLine = this.blocks.lineCount;
  }

  /** Tells whether a list follows the text of its item at once: a term and a number other than 1 cannot. */
  #isGapless({ form, number, isTight }: ListState): boolean {
    const outer = this.lists.at(-1);
    if (!outer?.isTight || !outer.isInItem || form === 'definitions') return false;
    return form === 'entries' ? isTight : form === 'marked' || number === 1;
  }

  /** A list with the sign of the one just before would continue it. */
  #signOf(list: ListState): string {
    const [usual, other] = signsOf(list);
    return this.#lastListSign === usual ? other : usual;
  }

  #resumeMarks(): void {
    if (this.#isResumed) return;
    this.#isResumed = true;
    for (const mark of this.#shownMarks()) this.#run.open(mark);
  }

  #shownMarks(): Mark[] {
    return this.#marks.filter((mark) => !this.#dropped.has(mark));
  }

  #takeInline(): string {
    if (!this.#isResumed) return '';
    for (const mark of this.#shownMarks().reverse()) {
      this.#run.close(mark);
      this.#repeatableUrlChars -= mark.url?.length ?? 0;
      if (mark.url !== undefined && this.#repeatableUrlChars < 0) this.#dropped.add(mark);
    }
    const { tokens } = this.#run;
    this.#run = new InlineRun();
    this.#isResumed = false;
    this.budget.spend(1 + tokens.length);
    return inlineMarkup(tokens, this.place);
  }

  #breakCell(): void {
    if (!this.#run.endsInBreak) this.#run.addBreak();
  }

  /** Code in a cell cannot hold a backslash before a bar. */
  #fitsCode(value: string): boolean {
    return this.place !== 'cell' || !value.includes('\\|');
  }
}
