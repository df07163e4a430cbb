import { randomUUID } from 'node:crypto';
import { LIMITS } from '@gleaner/contracts';
import type { Protocol } from 'puppeteer-core';
import { createWorld, evaluateApart } from './evaluate-apart.ts';
import type { Tab } from './open-tab.ts';

/** The documents of a page's frames, to be put into its source. */
export interface Frames {
  readonly contents: readonly Content[];
  /** Number of frames that are not among them: too many, or not allowed. */
  readonly leftOut: number;
}

interface Content {
  /** Mark of the `iframe` in the source of its parent. */
  readonly mark: string;
  readonly url: string;
  /** Null if it is too large, or has gone. */
  readonly html: string | null;
}

interface Frame {
  readonly id: string;
  readonly parentId: string;
  readonly url: string;
  readonly mark: string;
}

/** Attribute that marks an `iframe` while the document around it is read. */
export const MARK = 'data-gleaner-frame';

/** Map of the marked elements, in the isolated world of their document. */
export const MARKED = "globalThis[Symbol.for('gleaner.frames')]";

/**
 * Reads the frames of the page, those in frames too, and leaves marks for their elements in the isolated world of the
 * document around them. A frame that goes away while it is read is left out.
 */
export async function readFrames(tab: Tab, mayRead: (url: string) => boolean): Promise<Frames> {
  const { frameTree } = await tab.session.send('Page.getFrameTree');
  const { chosen, leftOut } = chooseFrames(frameTree, mayRead);
  await Promise.all(chosen.map((frame) => markOwner(tab, frame).catch(() => {})));
  const contents = chosen.map(async ({ id, mark, url }) => {
    const html = await evaluateApart<string | null>(tab, READ_FRAME, id).catch(() => null);
    return { mark, url, html };
  });
  return { contents: await Promise.all(contents), leftOut };
}

/** Returns the id of the frame whose element an expression gives in the document of a frame; undefined if it shows none. */
export async function findFrame(
  tab: Tab,
  expression: string,
  frameId = tab.targetId,
): Promise<string | undefined> {
  const { session } = tab;
  const contextId = await createWorld(tab, frameId);
  const { result } = await session.send('Runtime.evaluate', { contextId, expression });
  if (result.objectId === undefined) return undefined;
  const { node } = await session.send('DOM.describeNode', { objectId: result.objectId });
  return node.frameId;
}

/** Chooses at most `maxFrames` frames, each below one that is chosen, too. */
function chooseFrames(tree: Protocol.Page.FrameTree, mayRead: (url: string) => boolean) {
  const chosen: Frame[] = [];
  let leftOut = 0;
  const nonce = randomUUID();
  const waiting = [tree];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    for (const child of next.childFrames ?? []) {
      const { id, url, unreachableUrl } = child.frame;
      const isChosen = unreachableUrl === undefined && mayRead(url) && chosen.length < LIMITS.maxFrames;
      if (!isChosen) leftOut += 1;
      if (!isChosen) continue;
      chosen.push({ id, url, parentId: next.frame.id, mark: `${nonce}-${chosen.length}` });
      waiting.push(child);
    }
  }
  return { chosen, leftOut };
}

async function markOwner(tab: Tab, { id: frameId, parentId, mark }: Frame): Promise<void> {
  const { session } = tab;
  const { backendNodeId } = await session.send('DOM.getFrameOwner', { frameId });
  const executionContextId = await createWorld(tab, parentId);
  const { object } = await session.send('DOM.resolveNode', { backendNodeId, executionContextId });
  await session.send('Runtime.callFunctionOn', {
    objectId: object.objectId ?? '',
    functionDeclaration: `function (mark) { (${MARKED} ??= new Map()).set(this, mark); }`,
    arguments: [{ value: mark }],
  });
}

/** Puts the frames behind their elements. Those that the largest page has no room for, or that are not in it, are left out. */
export function inlineFrames(source: string, { contents, leftOut }: Frames) {
  let [whole, framesLeftOut] = [source, leftOut];
  // Outer frames come first, so that the marks of inner ones are there by then.
  for (const { mark, url, html } of contents) {
    const [before = '', after] = whole.split(` ${MARK}="${mark}"`);
    const end = (after?.indexOf(END_TAG) ?? -1) + END_TAG.length;
    const isPlaced = after !== undefined && end >= END_TAG.length;
    const fits = html !== null && whole.length + html.length + url.length < LIMITS.maxPageBytes;
    if (html !== '' && !(isPlaced && fits)) framesLeftOut += 1;
    const frame = html && isPlaced && fits ? `<div data-frame="${escapeAttribute(url)}">${html}</div>` : '';
    if (after !== undefined) whole = before + after.slice(0, end) + frame + after.slice(end);
  }
  return { source: whole, framesLeftOut };
}

const END_TAG = '</iframe>';

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/**
 * Reads the body of a frame from a copy in a document that loads and runs nothing, with absolute URLs. Comments, and elements
 * with raw text, are left out: they could end the element that the copy is put into. Shadow roots become templates.
 */
const READ_FRAME = `(() => {
  const method = (prototype, name) => Function.prototype.call.bind(prototype[name]);
  const [select, get, set, prepend, empty, remove] = [
    'querySelectorAll', 'getAttribute', 'setAttribute', 'prepend', 'replaceChildren', 'remove',
  ].map((name) => method(Element.prototype, name));
  const [body, implementation] = ['body', 'implementation'].map((name) => Reflect.get(Document.prototype, name, document));
  if (!body) return '';
  const marked = ${MARKED} ?? new Map();
  const { baseURI } = body;
  const inert = implementation.createHTMLDocument('');
  const absolute = (url) => URL.parse(url, baseURI)?.href ?? url;
  const absoluteSet = (sources) =>
    sources.split(/,\\s+/).map((each) => each.trim().replace(/^\\S+/, absolute)).join(', ');

  const RAW = new Set('script style noscript xmp noembed noframes plaintext template'.split(' '));
  const nameOf = (element) => Reflect.get(Element.prototype, 'localName', element).toLowerCase();
  const isKept = (node) => node instanceof Text || (node instanceof Element && !RAW.has(nameOf(node)));
  const clean = (original, twin) => {
    for (const name of ['href', 'src', 'action', 'formaction', 'poster', 'data', 'cite', 'background']) {
      const url = get(twin, name);
      if (url) set(twin, name, absolute(url));
    }
    const sources = get(twin, 'srcset');
    if (sources) set(twin, 'srcset', absoluteSet(sources));
    if (nameOf(twin) === 'iframe') empty(twin);
    if (marked.has(original)) set(twin, '${MARK}', marked.get(original));
    const shadowRoot = Reflect.get(Element.prototype, 'shadowRoot', original);
    if (!shadowRoot) return;
    const template = inert.createElement('template');
    template.setAttribute('shadowrootmode', 'open');
    template.content.append(...[...shadowRoot.childNodes].filter(isKept).map(copyOf));
    prepend(twin, template);
  };
  const copyOf = (node) => {
    const copy = inert.importNode(node, true);
    if (!(node instanceof Element)) return copy;
    const notes = inert.createNodeIterator(copy, NodeFilter.SHOW_COMMENT | NodeFilter.SHOW_PROCESSING_INSTRUCTION);
    for (let note = notes.nextNode(); note; note = notes.nextNode()) note.remove();
    const [originals, copies] = [node, copy].map((root) => [root, ...select(root, '*')]);
    originals.forEach((original, index) => {
      if (isKept(original)) clean(original, copies[index]);
      else remove(copies[index]);
    });
    return copy;
  };
  const html = copyOf(body).innerHTML.trim();
  return html.length > ${LIMITS.maxFrameBytes} ? null : html;
})()`;
