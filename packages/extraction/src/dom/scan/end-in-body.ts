import type { ElementKind } from './element-kinds.ts';
import type { OpenElements } from './open-elements.ts';
import { StartRule, Trait } from './tag-rules.ts';
import { unusual } from './unusual.ts';

/** Applies the rules for an end tag in the body, in a cell or in a caption (HTML §13.2.6.4.7). */
export function endInBody(kind: ElementKind, open: OpenElements): void {
  switch (kind.start) {
    case StartRule.block:
    case StartRule.preformatted:
    case StartRule.button:
      if (kind.name === 'p') endParagraph(open);
      else close(open.find(kind, Trait.scope), open);
      return;
    case StartRule.link:
    case StartRule.format:
      endFormatting(kind, open);
      return;
    case StartRule.item:
      close(open.find(kind, kind.name === 'li' ? Trait.listScope : Trait.scope), open);
      return;
    case StartRule.heading:
      close(open.findTrait(Trait.heading, Trait.scope), open);
      return;
    case StartRule.form:
      open.closeForm(kind);
      return;
    case StartRule.html:
    case StartRule.body:
      return;
    default:
      if (kind.name === 'br' || kind.name === 'nobr') unusual();
      if (kind.name !== 'template') close(open.find(kind, Trait.special), open);
  }
}

function close(index: number, open: OpenElements): void {
  if (index > 0) open.popTo(index);
}

function endParagraph(open: OpenElements): void {
  const { paragraph } = open.kinds;
  const index = open.find(paragraph, Trait.buttonScope);
  if (index >= 0) open.popTo(index);
  else open.leaf(paragraph);
}

/** The adoption agency (HTML §13.2.6.4.7), as far as it moves no nodes. */
function endFormatting(kind: ElementKind, open: OpenElements): void {
  open.continueFormatting();
  const index = open.find(kind, Trait.special);
  if (index >= 0) open.popFormatting(index);
  else if (open.countFormatting(kind) > 0) unusual();
}

/** Applies the rules for an end tag inside SVG (HTML §13.2.6.5). */
export function endInSvg({ name }: ElementKind, open: OpenElements): void {
  if (name === 'p' || name === 'br') unusual();
  const index = open.findInSvg(name);
  if (index < 0) unusual();
  open.popTo(index);
}
