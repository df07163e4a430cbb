import { cutText } from '@gleaner/contracts';
import type { Token } from 'parse5';
import { Budget } from './budget.ts';
import { Namespace, type Node, NodeKind } from './dom/node.ts';
import type { ParsedDocument } from './dom/parse-document.ts';
import { type BaseUrl, resolveBase, resolveUrl } from './dom/parse-url.ts';
import { attributeHtml, escapeText, isVoid } from './read/html-of.ts';

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

/**
 * Returns the attributes of an element for a view: only attributes of its looks. None of them runs, loads,
 * submits or focuses anything, or has a name that belongs to the view. Addresses of links are absolute.
 */
function viewAttributes(element: Node, base: BaseUrl): Token.Attribute[] {
  const isHtml = element.namespace === Namespace.html;
  return element.attributes.flatMap((attribute) => {
    const name = attribute.name.toLowerCase();
    if (name === 'href' || name === 'src') return urlAttribute(element, attribute, base);
    if (attribute.namespace || !(isHtml ? isKept(name) : isInert(name))) return [];
    return [attribute];
  });
}

/** Prefix of the attributes that the view adds. */
const OWN_PREFIX = 'data-gl-';

/** Attributes of HTML. `disabled` is left out, since browsers report no clicks on disabled controls. */
const KEPT = new Set(
  `align alt bgcolor border cellpadding cellspacing checked class cols color colspan datetime dir face for headers height
  hidden high id label lang low max media min multiple noshade nowrap open optimum placeholder readonly reversed role rows
  rowspan scope selected size span start step style summary title type valign value width wrap`.split(/\s+/),
);

function isKept(name: string): boolean {
  return KEPT.has(name) || (/^(?:data|aria)-[\w.-]+$/.test(name) && !name.startsWith(OWN_PREFIX));
}

const ACTING = new Set([
  'action',
  'autofocus',
  'download',
  'is',
  'name',
  'ping',
  'srcdoc',
  'tabindex',
  'target',
]);

/** Returns true for attributes of drawings and formulas, whose values are numbers, paths and styles. */
function isInert(name: string): boolean {
  if (name.startsWith('on') || name.startsWith(OWN_PREFIX)) return false;
  return /^[a-z][\w.-]*$/.test(name) && !ACTING.has(name);
}

const EMBEDDED_IMAGE = /^data:image\/(?:png|jpeg|gif|webp|avif|bmp|svg\+xml)[;,]/i;

/** Keeps links to http and https, parts of the same drawing, and images inside the page. */
function urlAttribute(
  { name, namespace }: Node,
  attribute: Token.Attribute,
  base: BaseUrl,
): Token.Attribute[] {
  const value = attribute.value.trim();
  const isSource = attribute.name.toLowerCase() === 'src';
  if (isSource || name === 'image') {
    const isImage = name === 'img' || name === 'image';
    return isImage && EMBEDDED_IMAGE.test(value) ? [plain(attribute, value)] : [];
  }
  if (name === 'a' || name === 'area') {
    const url = resolveUrl(value, base);
    return url && /^https?:$/.test(url.protocol) ? [plain(attribute, url.href)] : [];
  }
  return namespace === Namespace.svg && value.startsWith('#') ? [plain(attribute, value)] : [];
}

/** Returns the attribute without a prefix, which browsers accept for `xlink:href`. */
function plain({ name }: Token.Attribute, value: string): Token.Attribute {
  return { name: name.toLowerCase(), value };
}

/** Form in which a view shows an element. */
type ViewForm =
  /** Leaves out the element and everything in it. */
  | { readonly kind: 'nothing' }
  /** Writes a style sheet. */
  | { readonly kind: 'style' }
  /** Writes an element with this name: the element's own unless a browser would read its content as raw text. */
  | { readonly kind: 'element'; readonly name: string }
  /** Writes a box with a label around the content. */
  | { readonly kind: 'box'; readonly label: string };

const BROWSER_NAMESPACES: ReadonlySet<string> = new Set([Namespace.html, Namespace.svg, Namespace.mathml]);

const NOTHING: ViewForm = { kind: 'nothing' };
const STYLE_FORM: ViewForm = { kind: 'style' };

function formOf({ name, namespace }: Node): ViewForm {
  if (!BROWSER_NAMESPACES.has(namespace)) return box(name);
  const form = namespace === Namespace.svg ? SVG_FORMS.get(name) : undefined;
  return form ?? HTML_FORMS.get(name.toLowerCase()) ?? elementForm(name);
}

function elementForm(name: string): ViewForm {
  return /^[a-z][a-z0-9-]*$/i.test(name) ? { kind: 'element', name } : box(name);
}

function box(label: string): ViewForm {
  return { kind: 'box', label };
}

function forms(table: Readonly<Record<string, ViewForm | string>>): ReadonlyMap<string, ViewForm> {
  return new Map(
    Object.entries(table).flatMap(([names, form]) =>
      names
        .split(' ')
        .map((name) => [name, typeof form === 'string' ? { kind: 'element', name: form } : form] as const),
    ),
  );
}

function boxes(names: string): ReadonlyMap<string, ViewForm> {
  return new Map(names.split(' ').map((name) => [name, box(name)]));
}

/**
 * Elements that act, load or are read as raw text; with scripts on, noscript is one of the last. The same names in other namespaces
 * are treated alike, since a browser may parse them as HTML.
 */
const HTML_FORMS: ReadonlyMap<string, ViewForm> = new Map([
  ...forms({
    'script base meta link template title bgsound': NOTHING,
    style: STYLE_FORM,
    'xmp plaintext listing': 'pre',
    frameset: 'div',
  }),
  ...boxes('iframe object embed frame portal fencedframe applet noscript noembed noframes'),
]);

/** Elements of SVG that act. Animations can change the URL of a link. */
const SVG_FORMS: ReadonlyMap<string, ViewForm> = forms({
  'script animate animateColor animateMotion animateTransform set discard': NOTHING,
  style: STYLE_FORM,
});
