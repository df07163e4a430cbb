import { cutText } from '@gleaner/contracts';
import { Budget } from '../budget.ts';
import { Namespace, type Node, NodeKind } from '../dom/node.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import { type BaseUrl, resolveBase } from '../dom/parse-url.ts';
import { attributeHtml, escapeText, isVoid } from '../read/html-of.ts';
import { viewAttributes } from './view-attributes.ts';
import { formOf } from './view-elements.ts';

/** Options of `renderView`. */
export interface ViewOptions {
  /** URL of the page, to which its <base href> is applied. */
  readonly baseUrl: string;
  readonly budget?: Budget;
  /** The one script that the view runs. */
  readonly script?: string;
}

/**
 * Renders a page for the frame in which users pick elements: its markup as parsed, with the number of each element in document
 * order as `data-gl-n`. Scripts, handlers, forms and everything that loads or navigates by itself are left out or shown as
 * boxes, but the walls are the frame's sandbox and its Content-Security-Policy: style sheets keep their addresses.
 * Throws UNSUPPORTED_CONTENT when over the budget.
 */
export function renderView(
  document: ParsedDocument,
  { baseUrl, budget = new Budget(), script }: ViewOptions,
): string {
  const parts = [prologue(document, script)];
  const write = (part: string): void => {
    budget.spendReading(part.length);
    budget.spendOutput(part);
    parts.push(part);
  };
  const context: ViewContext = { base: resolveBase(document, baseUrl), budget };
  const { root } = document;
  // Nodes still to write, and end tags of those whose content comes before them.
  const pending: (Node | string)[] = [];
  const pushChildren = (parent: Node): void => {
    for (let child = parent.last; child !== null; child = child.previous) pending.push(child);
  };
  pushChildren(root);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    budget.spend(1);
    if (typeof next === 'string') write(next);
    else if (next.kind === NodeKind.text) write(escapeText(next.value));
    else if (next.kind === NodeKind.element) {
      const { start, end, hasContent } = tagsOf(next, context);
      write(start);
      if (end !== '') pending.push(end);
      if (hasContent) pushChildren(next);
    }
  }
  return parts.join('');
}

interface ViewContext {
  readonly base: BaseUrl;
  readonly budget: Budget;
}

interface Tags {
  readonly start: string;
  readonly end: string;
  readonly hasContent: boolean;
}

const NO_TAGS: Tags = { start: '', end: '', hasContent: false };

function tagsOf(element: Node, { base, budget }: ViewContext): Tags {
  const form = formOf(element);
  if (form.kind === 'nothing') return NO_TAGS;
  if (form.kind === 'style') return styleTags(element, budget);
  const name = form.kind === 'box' ? 'span' : form.name;
  const label = form.kind === 'box' ? ` data-gl-box="${labelOf(element, form.label)}"` : '';
  const attributes = viewAttributes(element, base).map(attributeHtml).join('');
  const start = `<${name} data-gl-n="${element.order}"${label}${attributes}>`;
  if (form.kind === 'element' && isVoid(element)) return { start, end: '', hasContent: false };
  return { start, end: `</${name}>`, hasContent: !isRawText(element) };
}

/** Returns true for elements whose text in our tree is markup of another document. */
function isRawText({ name, namespace }: Node): boolean {
  return namespace === Namespace.html && (name === 'iframe' || name === 'noembed' || name === 'noframes');
}

const MAX_LABEL_CHARS = 200;

/** Returns the name of the element and the address that it would load. */
function labelOf({ attributes }: Node, name: string): string {
  const { value } = attributes.find(({ name: own }) => own === 'src' || own === 'data') ?? {};
  return escapeText(value === undefined ? name : cutText(`${name} ${value}`, MAX_LABEL_CHARS)).replaceAll(
    '"',
    '&quot;',
  );
}

/** Writes a style sheet without any "<", so that it stays one wherever a browser's parser puts it. */
function styleTags(element: Node, budget: Budget): Tags {
  let css = '';
  for (let child = element.first; child !== null; child = child.next) {
    budget.spendReading(child.value.length);
    if (child.kind === NodeKind.text) css += child.value;
  }
  const media = element.attributes.find(({ name }) => name === 'media');
  const start = `<style data-gl-n="${element.order}"${media ? attributeHtml(media) : ''}>`;
  return { start: `${start}${css.replaceAll('<', '\\3c ')}</style>`, end: '', hasContent: false };
}

/** Stands for images, which a view does not load. */
const PICTURE = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24"><path fill="#8882" d="M-999-999h2999v2999h-2999z"/><path fill="none" stroke="#8889" stroke-width=".7" d="M5.5 6.5h13v11h-13zm0 9 4-4 3 3 2-2 4 4M14 10h.1"/></svg>',
)}`;

const STYLE = `<style>
[data-gl-box]{display:inline-block;padding:.2em .5em;border:1px dashed #888;min-width:3em;font:12px/1.4 sans-serif;color:#555}
[data-gl-box]::before{content:attr(data-gl-box)}
img:not([src]){content:url("${PICTURE}")}
</style>`;

/** Returns what comes before the page; browsers merge the page's own html tag with the one that this implies. */
function prologue({ isQuirks }: ParsedDocument, script: string | undefined): string {
  const doctype = isQuirks ? '' : '<!DOCTYPE html>';
  return `${doctype}<meta charset="utf-8">${STYLE}${script === undefined ? '' : scriptTag(script)}`;
}

function scriptTag(script: string): string {
  if (/<\/script|<!--/i.test(script)) throw new TypeError('The script of a view cannot contain its own end.');
  return `<script>${script}</script>`;
}
