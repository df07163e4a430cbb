import type { Token } from 'parse5';
import { Namespace } from '../node.ts';
import type { ElementKind } from './element-kinds.ts';
import { Mode } from './mode.ts';
import type { OpenElements } from './open-elements.ts';
import { StartRule, Trait } from './tag-rules.ts';
import { unusual } from './unusual.ts';

/** A start tag. */
export interface StartTag {
  readonly kind: ElementKind;
  readonly attributes: Token.Attribute[];
  readonly isSelfClosing: boolean;
}

/** Content after a start tag that is not markup. */
export const Content = { markup: 0, raw: 1, text: 2, afterLineFeed: 3, textAfterLineFeed: 4 } as const;
export type Content = (typeof Content)[keyof typeof Content];

/** The mode of a page, which tags change, and facts that its rules depend on. */
export interface ScanState {
  mode: Mode;
  readonly open: OpenElements;
  isQuirks: boolean;
}

/** At most so many equal formatting elements are active (HTML §13.2.4.3). */
const MAX_EQUAL_FORMATTING = 3;

/** Applies the rules for a start tag in the body, in a cell or in a caption (HTML §13.2.6.4.7); returns its content. */
export function startInBody({ kind, attributes, isSelfClosing }: StartTag, state: ScanState): Content {
  const { open } = state;
  switch (kind.start) {
    case StartRule.block:
      open.closeParagraph();
      open.push(kind, attributes);
      return Content.markup;
    case StartRule.link:
      open.continueFormatting();
      if (open.countFormatting(kind) > 0) unusual();
      open.push(kind, attributes);
      return Content.markup;
    case StartRule.format:
      open.continueFormatting();
      if (open.countFormatting(kind) >= MAX_EQUAL_FORMATTING) unusual();
      open.push(kind, attributes);
      return Content.markup;
    case StartRule.generic:
    case StartRule.noscript:
      open.continueFormatting();
      open.push(kind, attributes);
      return Content.markup;
    case StartRule.item:
      closeItem(kind, open);
      open.closeParagraph();
      open.push(kind, attributes);
      return Content.markup;
    case StartRule.leaf:
      open.continueFormatting();
      open.leaf(kind, attributes);
      return Content.markup;
    case StartRule.quietLeaf:
      open.leaf(kind, attributes);
      return Content.markup;
    case StartRule.heading:
      open.closeParagraph();
      if ((open.current.traits & Trait.heading) !== 0) open.pop();
      open.push(kind, attributes);
      return Content.markup;
    case StartRule.preformatted:
      open.closeParagraph();
      open.push(kind, attributes);
      return Content.afterLineFeed;
    case StartRule.form:
      open.pushForm(kind, attributes);
      return Content.markup;
    case StartRule.button: {
      const index = open.find(kind, Trait.scope);
      if (index >= 0) open.popTo(index);
      open.continueFormatting();
      open.push(kind, attributes);
      return Content.markup;
    }
    case StartRule.rule:
      open.closeParagraph();
      open.leaf(kind, attributes);
      return Content.markup;
    case StartRule.raw:
      open.push(kind, attributes);
      return Content.raw;
    case StartRule.title:
      open.push(kind, attributes);
      return Content.text;
    case StartRule.textArea:
      open.push(kind, attributes);
      return Content.textAfterLineFeed;
    case StartRule.select:
      open.continueFormatting();
      open.push(kind, attributes);
      state.mode = Mode.select;
      return Content.markup;
    case StartRule.table:
      if (!state.isQuirks) open.closeParagraph();
      open.push(kind, attributes);
      state.mode = Mode.table;
      return Content.markup;
    case StartRule.svg:
      open.continueFormatting();
      if (isSelfClosing) open.leaf(kind, attributes, Namespace.svg);
      else open.push(kind, attributes, Namespace.svg);
      return Content.markup;
    case StartRule.caption:
    case StartRule.columns:
    case StartRule.column:
    case StartRule.rows:
    case StartRule.row:
    case StartRule.cell:
    case StartRule.head:
      return Content.markup;
    default:
      return unusual();
  }
}

/** Closes the item that a new one of a list ends. */
function closeItem({ name }: ElementKind, open: OpenElements): void {
  const { kinds } = open;
  const names = name === 'li' ? ['li'] : ['dd', 'dt'];
  const index = Math.max(...names.map((each) => open.find(kinds.of(each), Trait.itemBoundary)));
  if (index >= 0) open.popTo(index);
}

/** Applies the rules for a start tag inside SVG (HTML §13.2.6.5). */
export function startInSvg({ kind, attributes, isSelfClosing }: StartTag, { open }: ScanState): Content {
  const isForeign = (kind.traits & Trait.inSvg) !== 0;
  if (!isForeign || (open.current.traits & Trait.integration) !== 0) unusual();
  if (isSelfClosing) open.leaf(kind, attributes, Namespace.svg);
  else open.push(kind, attributes, Namespace.svg);
  return Content.markup;
}
