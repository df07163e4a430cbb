import { Namespace, type Node } from '../dom/node.ts';

/** Form in which a view shows an element. */
export type ViewForm =
  /** Leaves out the element and everything in it. */
  | { readonly kind: 'nothing' }
  /** Writes a style sheet. */
  | { readonly kind: 'style' }
  /** Writes an element of that name, which is the element's own unless a browser would read its content as raw text. */
  | { readonly kind: 'element'; readonly name: string }
  /** Writes a box with a label around the content. */
  | { readonly kind: 'box'; readonly label: string };

const BROWSER_NAMESPACES: ReadonlySet<string> = new Set([Namespace.html, Namespace.svg, Namespace.mathml]);

const NOTHING: ViewForm = { kind: 'nothing' };
const STYLE: ViewForm = { kind: 'style' };

/** Returns the form in which a view shows an element. */
export function formOf({ name, namespace }: Node): ViewForm {
  if (!BROWSER_NAMESPACES.has(namespace)) return box(name);
  const form = namespace === Namespace.svg ? SVG_FORMS.get(name) : undefined;
  return form ?? HTML_FORMS.get(name.toLowerCase()) ?? plain(name);
}

function plain(name: string): ViewForm {
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
    style: STYLE,
    'xmp plaintext listing': 'pre',
    frameset: 'div',
  }),
  ...boxes('iframe object embed frame portal fencedframe applet noscript noembed noframes'),
]);

/** Elements of SVG that act. Animations can change the URL of a link. */
const SVG_FORMS: ReadonlyMap<string, ViewForm> = forms({
  'script animate animateColor animateMotion animateTransform set discard': NOTHING,
  style: STYLE,
});
