import {
  attributeOf,
  lastShownChild,
  Namespace,
  type Node,
  NodeKind,
  neighborOf,
  nextInside,
} from '../dom/node.ts';

const MAX_NODES = 5000;
const MAX_TEX_CHARS = 4096;

/** TeX of a formula, and whether it stands on a line of its own. */
export interface Formula {
  readonly tex: string;
  readonly isDisplayed: boolean;
}

/** Returns the formula that an element is: MathML with TeX for annotation, a script of TeX, or TeX between the signs of MathJax. */
export function formulaOf(element: Node): Formula | undefined {
  const tex = texOf(element);
  if (tex !== undefined) return { tex, isDisplayed: attributeOf(element, 'display') === 'block' };
  const source = isTexScript(element) || FORMULA_NAMES.has(element.name) ? textIn(element) : undefined;
  if (source === undefined) return undefined;
  if (element.name === 'script') {
    const isDisplayed = /mode\s?=\s?display/.test(attributeOf(element, 'type') ?? '');
    return { tex: plain(source), isDisplayed };
  }
  const [, inline, displayed] = BETWEEN_SIGNS.exec(source) ?? [];
  const between = inline ?? displayed;
  return between === undefined ? undefined : { tex: plain(between), isDisplayed: displayed !== undefined };
}

/** Returns the TeX of a `math` element, from its annotation; undefined without one, and for other nodes. */
export function texOf(math: Node): string | undefined {
  if (math.name !== 'math' || math.namespace !== Namespace.mathml) return undefined;
  let count = 0;
  for (let node = math.first; node !== null && count++ < MAX_NODES; node = nextInside(math, node)) {
    if (node.name !== 'annotation' || attributeOf(node, 'encoding')?.toLowerCase() !== 'application/x-tex')
      continue;
    const tex = textIn(node);
    return tex === undefined ? undefined : plain(tex);
  }
  return undefined;
}

/** Returns true for a script that holds a formula for MathJax. */
export function isTexScript(element: Node): boolean {
  return (
    element.name === 'script' && /^\s*math\/tex\b/i.test(attributeOf(element, 'type')?.slice(0, 100) ?? '')
  );
}

const FORMULA_NAMES = new Set(['div', 'span']);
const BETWEEN_SIGNS = /^\s*(?:\\\((.+)\\\)|\\\[(.+)\\\])\s*$/s;

/** Returns the text of an element that has nothing else; undefined if it cannot be a formula. */
function textIn({ first }: Node): string | undefined {
  let text = '';
  let count = 0;
  for (let node = first; node !== null; node = node.next) {
    if (node.kind === NodeKind.text) text += node.value;
    else if (node.kind !== NodeKind.comment) return undefined;
    if (text.length > MAX_TEX_CHARS || ++count > MAX_NODES) return undefined;
  }
  return text.trim() === '' ? undefined : text;
}

/** Returns TeX on one line, without the braces that Wikipedia puts around all of it. */
function plain(tex: string): string {
  const line = tex.replace(/\s+/g, ' ').trim();
  const inside = /^\{\\(?:display|text)style (.+)\}$/.exec(line)?.[1];
  return inside !== undefined && isBalanced(inside) ? inside.trim() : line;
}

function isBalanced(tex: string): boolean {
  let depth = 0;
  for (const [sign] of tex.matchAll(/\\.|[{}]/g)) {
    if (sign === '{') depth++;
    else if (sign === '}' && --depth < 0) return false;
  }
  return depth === 0;
}

/** Classes of the elements around the MathML of KaTeX, Wikipedia and MathJax 2; MathJax 3 has an element of its own. */
const MATHML = /(?:^|\s)(?:katex-mathml|mwe-math-mathml-\S{1,20}|MJX_Assistive_MathML)(?:\s|$)/;

/** Classes of what MathJax 2 draws before the script of a formula. */
const DRAWN = /(?:^|\s)MathJax(?:_Preview|_Display|_SVG(?:_Display)?|_CHTML)?(?:\s|$)/;

/** Classes of what stands for a formula where MathML is not drawn. */
const FALLBACK = /(?:^|\s)(?:MathJax_Preview|mwe-math-fallback-image-\S{1,20})(?:\s|$)/;

/** Returns true for a formula that is drawn for eyes beside its MathML or TeX: KaTeX, MathJax, and the images of Wikipedia. */
export function isDrawnFormula(element: Node): boolean {
  const isHidden = attributeOf(element, 'aria-hidden') === 'true';
  const classes = isHidden ? '' : classesOf(element);
  const isDrawn = DRAWN.test(classes);
  const isFallback = isHidden || FALLBACK.test(classes);
  if (!isDrawn && !isFallback) return false;
  const next = neighborOf(element, 'next');
  const second = next?.kind === NodeKind.element ? neighborOf(next, 'next') : null;
  if (isDrawn && [next, second].some((node) => node !== null && isTexScript(node))) return true;
  return isFallback && [neighborOf(element, 'previous'), next, second].some(holdsMathml);
}

function holdsMathml(node: Node | null): boolean {
  if (node?.kind !== NodeKind.element) return false;
  if (node.name === 'mjx-assistive-mml' || MATHML.test(classesOf(node))) return true;
  const last = lastShownChild(node);
  return last?.kind === NodeKind.element && MATHML.test(classesOf(last));
}

const MAX_CLASS_CHARS = 200;

function classesOf(element: Node): string {
  return (attributeOf(element, 'class') ?? '').slice(0, MAX_CLASS_CHARS);
}
