import { Mode } from './mode.ts';
import { Content, type ScanState, type StartTag } from './start-in-body.ts';
import { StartRule, Trait } from './tag-rules.ts';
import { unusual } from './unusual.ts';

/** Applies the rules for a start tag before the body (HTML §13.2.6.4.2–6); undefined if the tag is in the body. */
export function startBeforeBody(tag: StartTag, state: ScanState): Content | undefined {
  const { open } = state;
  const { kind, attributes } = tag;
  const { start } = kind;
  if (start === StartRule.html) {
    if (state.mode !== Mode.initial) unusual();
    open.push(kind, attributes);
    state.mode = Mode.beforeHead;
    return Content.markup;
  }
  if (start === StartRule.head) {
    if (state.mode > Mode.beforeHead) return Content.markup;
    openHtml(state);
    open.push(kind, attributes);
    state.mode = Mode.head;
    return Content.markup;
  }
  if (state.mode < Mode.head) openHead(state);
  const isOfHead = (kind.traits & Trait.ofHead) !== 0;
  if (isOfHead && state.mode === Mode.afterHead) unusual();
  if (isOfHead) return startInHead(tag, state);
  if (start === StartRule.noscript && state.mode === Mode.head) {
    open.push(kind, attributes);
    state.mode = Mode.headNoscript;
    return Content.markup;
  }
  if (start === StartRule.unusual) unusual();
  closeHead(state);
  open.push(start === StartRule.body ? kind : open.kinds.body, start === StartRule.body ? attributes : []);
  state.mode = Mode.body;
  return start === StartRule.body ? Content.markup : undefined;
}

function startInHead({ kind, attributes }: StartTag, { open, mode }: ScanState): Content {
  const isLeaf = kind.start === StartRule.quietLeaf;
  const isForNoscript = isLeaf ? kind.name !== 'base' : kind.name === 'style' || kind.name === 'noframes';
  if (mode === Mode.headNoscript && !isForNoscript) unusual();
  if (isLeaf) open.leaf(kind, attributes);
  else open.push(kind, attributes);
  if (isLeaf) return Content.markup;
  return kind.start === StartRule.title ? Content.text : Content.raw;
}

/** Applies the rules for an end tag before the body. */
export function endBeforeBody({ start }: { readonly start: StartRule }, state: ScanState): void {
  if (start === StartRule.head && state.mode === Mode.head) closeHead(state);
  else if (start === StartRule.noscript && state.mode === Mode.headNoscript) {
    state.open.pop();
    state.mode = Mode.head;
  } else unusual();
}

/** Opens the body for text, or at the end of the page. */
export function openBody(state: ScanState): void {
  if (state.mode < Mode.head) openHead(state);
  closeHead(state);
  state.open.push(state.open.kinds.body);
  state.mode = Mode.body;
}

function openHtml(state: ScanState): void {
  if (state.mode === Mode.initial) state.open.push(state.open.kinds.html);
  state.mode = Mode.beforeHead;
}

function openHead(state: ScanState): void {
  openHtml(state);
  state.open.push(state.open.kinds.head);
  state.mode = Mode.head;
}

function closeHead(state: ScanState): void {
  if (state.mode === Mode.headNoscript) unusual();
  if (state.mode === Mode.head) state.open.pop();
  state.mode = Mode.afterHead;
}
