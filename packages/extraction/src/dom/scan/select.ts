import type { ElementKind } from './element-kinds.ts';
import { Content, type ScanState, type StartTag } from './start-in-body.ts';
import { resetMode } from './tables.ts';
import { StartRule } from './tag-rules.ts';
import { unusual } from './unusual.ts';

/** Applies the rules for a start tag in a select (HTML §13.2.6.4.16). */
export function startInSelect({ kind, attributes }: StartTag, { open }: ScanState): Content {
  if (kind.start !== StartRule.option) unusual();
  if (open.current.name === 'option') open.pop();
  if (kind.name === 'optgroup' && open.current.name === 'optgroup') open.pop();
  open.push(kind, attributes);
  return Content.markup;
}

/** Applies the rules for an end tag in a select. */
export function endInSelect(kind: ElementKind, state: ScanState): void {
  const { open } = state;
  if (kind.start === StartRule.select) {
    open.popTo(open.find(kind, 0));
    resetMode(state);
    return;
  }
  if (kind.start !== StartRule.option) unusual();
  const isAround =
    kind.name === 'optgroup' && open.current.name === 'option' && open.at(open.depth - 2) === kind;
  if (isAround) open.pop();
  if (open.current === kind) open.pop();
}
