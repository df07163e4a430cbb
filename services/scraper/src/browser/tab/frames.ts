import { randomUUID } from 'node:crypto';
import { LIMITS } from '@gleaner/contracts';
import type { Protocol } from 'puppeteer-core';
import type { ReadFrameOptions } from '../injected/options.ts';
import { callInjected } from '../load-injected.ts';
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

/** Key, among symbols, of the map of the marked elements in the isolated world of their document. */
export const MARKED_KEY = 'gleaner.frames';

const MARKED = `globalThis[Symbol.for('${MARKED_KEY}')]`;

/**
 * Reads the frames of the page, those in frames too, and leaves marks for their elements in the isolated world of the
 * document around them. A frame that goes away while it is read is left out.
 */
export async function readFrames(tab: Tab, mayRead: (url: string) => boolean): Promise<Frames> {
  const { frameTree } = await tab.session.send('Page.getFrameTree');
  const { chosen, leftOut } = chooseFrames(frameTree, mayRead);
  await Promise.all(chosen.map((frame) => markOwner(tab, frame).catch(() => {})));
  const contents = chosen.map(async ({ id, mark, url }) => {
    const html = await evaluateApart<string | null>(tab, readFrame(), id).catch(() => null);
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

/**
 * Puts the frames behind their elements. Frames beyond the size of the largest page, or without an element in it, are
 * left out.
 */
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

/** Script that reads the body of a frame. */
const readFrame = () =>
  callInjected('read-frame.ts', 'readFrame', {
    mark: MARK,
    marked: MARKED_KEY,
    maxChars: LIMITS.maxFrameBytes,
  } satisfies ReadFrameOptions);
