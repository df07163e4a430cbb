/**
 * The one script in the frame of a snapshot: marks elements, and tells the workbench which one was clicked. It is built by
 * itself; the policy of the view allows it by its SHA-256 and nothing else. Elements of the page can shadow properties of
 * forms and of the window by their ids, so what is read from elements goes through `Element.prototype`, and all listeners
 * are set before the page is parsed.
 */
import {
  CONNECT,
  type FrameMessage,
  MARKS,
  MAX_OUTLINES,
  type Marks,
  type Outline,
  READY,
  ROOT,
  type WorkbenchMessage,
} from './messages.ts';

const NUMBER = 'data-gl-n';
const MARK = 'data-gl-mark';
const POINT = 'data-gl-point';
const NAME_CHARACTERS = 60;
const TEXT_CHARACTERS = 80;
/** Text that is looked at for the beginning of an element's text. */
const READ_CHARACTERS = 2_000;

const STYLE = `
html{cursor:crosshair!important}
*{cursor:inherit!important;animation:none!important;transition:none!important}
[${MARK}]{outline:2px solid #3451c7!important;outline-offset:-1px!important}
[${MARK}=record]{outline:1.5px dashed #3451c7!important}
[${MARK}=value],[${MARK}=active]{outline:1px solid #157347!important;box-shadow:inset 0 0 0 100vmax rgb(33 160 95/.2)!important}
[${MARK}=active]{outline-width:3px!important;box-shadow:inset 0 0 0 100vmax rgb(33 160 95/.4)!important}
[${MARK}=pick]{box-shadow:inset 0 0 0 100vmax rgb(52 81 199/.28)!important}
[${MARK}=unwanted]{outline:2px solid #b42330!important;box-shadow:inset 0 0 0 100vmax rgb(180 35 48/.25)!important}
[${POINT}]{outline:3px solid #d97706!important;outline-offset:-1px!important}`;

const { getAttribute, setAttribute, removeAttribute, closest, scrollIntoView } = Element.prototype;

let port: MessagePort | undefined;
let isParsed = false;
let index: ReadonlyMap<number, readonly Element[]> | undefined;
let marked: Element[] = [];
let pointed: Element | undefined;

const style = document.createElement('style');
style.textContent = STYLE;
document.head.append(style);

for (const type of ['mousedown', 'mouseup', 'auxclick', 'dblclick', 'submit', 'dragstart', 'beforeinput']) {
  addEventListener(type, stop, { capture: true });
}
addEventListener(
  'click',
  (event) => {
    stop(event);
    const element = elementOf(event.target);
    if (element) sendPick(element);
  },
  { capture: true },
);
addEventListener('mouseover', (event) => point(elementOf(event.target)), { capture: true, passive: true });
addEventListener('mouseout', () => point(undefined), { capture: true, passive: true });
addEventListener('message', (event) => {
  if (port || event.source !== parent || event.data !== CONNECT) return;
  port = event.ports[0];
  listen();
});
addEventListener('DOMContentLoaded', () => {
  isParsed = true;
  listen();
});
// The layout of a large page would hold this message back for seconds, and clicks count while the page is still arriving.
parent.postMessage(READY, '*');

/** Takes messages of the workbench, which wait in the port until all elements are there. */
function listen(): void {
  if (port && isParsed) port.onmessage = ({ data }: MessageEvent<WorkbenchMessage>) => obey(data);
}

function stop(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

function send(message: FrameMessage): void {
  port?.postMessage(message);
}

function obey(message: WorkbenchMessage): void {
  switch (message.type) {
    case 'mark':
      mark(message.marks);
      break;
    case 'children':
      sendChildren(message.of);
      break;
    case 'pick':
      for (const element of elementsAt(message.node).slice(0, 1)) sendPick(element);
      break;
    case 'point': {
      const [element] = elementsAt(message.node);
      point(element);
      if (element && message.scroll) scrollIntoView.call(element, { block: 'center', inline: 'nearest' });
    }
  }
}

function mark(marks: Marks): void {
  for (const element of marked) removeAttribute.call(element, MARK);
  marked = MARKS.flatMap((kind) => {
    const elements = marks[kind].flatMap(elementsAt);
    for (const element of elements) setAttribute.call(element, MARK, kind);
    return elements;
  });
}

function point(element: Element | undefined): void {
  if (pointed) removeAttribute.call(pointed, POINT);
  if (element) setAttribute.call(element, POINT, '');
  pointed = element;
}

function sendPick(element: Element): void {
  const path: Outline[] = [];
  for (let at: Element | null | undefined = element; at; at = elementOf(parentOf(at)))
    path.unshift(outlineOf(at));
  send({ type: 'pick', path: path.slice(-MAX_OUTLINES) });
}

function sendChildren(of: number): void {
  const parents = of === ROOT ? [document.documentElement] : elementsAt(of);
  const elements = of === ROOT ? parents : parents.flatMap(childrenOf);
  const outlines = elements.slice(0, MAX_OUTLINES).map(outlineOf);
  send({ type: 'children', of, total: elements.length, elements: outlines });
}

function outlineOf(element: Element): Outline {
  return {
    node: numberOf(element),
    name: nameOf(element).slice(0, NAME_CHARACTERS),
    text: textOf(element),
    hasChildren: childrenOf(element).length > 0,
  };
}

function nameOf(element: Element): string {
  const box = getAttribute.call(element, 'data-gl-box');
  if (box) return box;
  const id = getAttribute.call(element, 'id');
  const classes = (getAttribute.call(element, 'class') ?? '').split(/\s+/).filter(Boolean);
  return [
    get(Element.prototype, 'localName', element),
    id && `#${id}`,
    ...classes.map((name) => `.${name}`),
  ].join('');
}

/** Returns the beginning of the text, without reading all of a large element. Words of different blocks have a space between. */
function textOf(element: Element): string {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  let text = '';
  while (text.length < TEXT_CHARACTERS && walker.nextNode()) {
    const node = walker.currentNode;
    const words = (node instanceof Text && node.nodeValue) || '';
    const isApart = isBlock(node) || isBlock(node.previousSibling);
    text = `${text}${isApart ? ' ' : ''}${words.slice(0, READ_CHARACTERS)}`.replace(/\s+/g, ' ').trimStart();
  }
  return text
    .slice(0, TEXT_CHARACTERS)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd();
}

function isBlock(node: unknown): boolean {
  if (!(node instanceof Element)) return false;
  return node instanceof HTMLBRElement || !/^(?:inline|contents|ruby)/.test(getComputedStyle(node).display);
}

function childrenOf(element: Element): Element[] {
  const children = get(Element.prototype, 'children', element) as HTMLCollection;
  return [...children].filter((child) => getAttribute.call(child, NUMBER) !== null);
}

function parentOf(element: Element): unknown {
  return get(Node.prototype, 'parentNode', element);
}

/** Returns the numbered element at a node or around it. */
function elementOf(node: unknown): Element | undefined {
  return (node instanceof Element && closest.call(node, `[${NUMBER}]`)) || undefined;
}

function numberOf(element: Element): number {
  return Number(getAttribute.call(element, NUMBER));
}

/** Returns the elements with a number: several where the browser's parser has repeated one. */
function elementsAt(node: number): readonly Element[] {
  index ??= Map.groupBy(document.querySelectorAll(`[${NUMBER}]`), numberOf);
  return index.get(node) ?? [];
}

/** Reads a property by the getter of a prototype. */
function get(prototype: object, name: string, element: Element): unknown {
  return Object.getOwnPropertyDescriptor(prototype, name)?.get?.call(element);
}
