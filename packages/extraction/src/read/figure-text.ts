import type { Budget } from '../budget.ts';
import {
  attributeOf,
  isHtmlElement,
  Namespace,
  type Node,
  NodeKind,
  neighborOf,
  nextInside,
} from '../dom/node.ts';
import {
  type IsLeftOut,
  keptText,
  type RewriteText,
  rewriteFormula,
  rewrittenText,
  textOf,
} from './text-of.ts';

/**
 * Returns the text of an element for a conversion to a number. Raised and lowered figures, such as the mark of a note, an
 * exponent or small cents, become superscript characters, so that they never join the number before them. They stay cents
 * where the page says so: by a decimal mark or by the class of the element.
 */
export function figureText(element: Node, budget: Budget, isLeftOut: IsLeftOut): string {
  const text = rewrittenText(element, rewriteFigures, isLeftOut, budget);
  return isOnlyRaised(text) ? textOf(element, budget, isLeftOut) : text;
}

/** Returns the text of an element with its white space; figures raised or lowered behind a digit stay so. */
export function keptFigureText(element: Node, budget: Budget, isLeftOut: IsLeftOut): string {
  return keptText(element, isLeftOut, budget, rewriteBehindDigit);
}

/** Returns the text of a cell; figures raised or lowered behind a digit stay so. */
export function cellText(element: Node, budget: Budget, isLeftOut: IsLeftOut): string {
  return rewrittenText(element, rewriteBehindDigit, isLeftOut, budget);
}

const rewriteBehindDigit: RewriteText = (text, node) =>
  (/\d$/.test(text.slice(-1)) ? rewriteFigures(text, node) : undefined) ?? rewriteFormula(text, node);

/** An element may hold raised figures alone. */
function isOnlyRaised(text: string): boolean {
  return !/\d/.test(text) && RAISED_DIGIT.test(text);
}

const RAISED_DIGIT = /[\u00b2\u00b3\u00b9\u2070-\u2079]/;

/** Raised figures and their punctuation, as in "[2]", "1)" and "2,3". */
const FIGURES = /^\s*[([]?[-+\u2212]?\d{1,4}(?:[,;\s]\s?\d{1,3}){0,3}[)\]*]?\s*$/;
const MAX_FIGURES = 16;

/** Length of the text after which figures are read as any other text: each look at its end may copy all of it. */
const MAX_TEXT_CHARS = 16 * 1024;

/** Returns the text with that of the next element behind it; undefined if the element is read as any other. */
function rewriteFigures(text: string, node: Node): string | undefined {
  if (node.kind !== NodeKind.element || text.length > MAX_TEXT_CHARS) return undefined;
  const isCents = saysCents(node);
  if (!isCents && !isRaised(node)) return undefined;
  const figures = shortTextOf(node);
  if (figures === undefined || !FIGURES.test(figures)) return undefined;
  const before = text.slice(-MAX_FIGURES).trimEnd();
  const isPair = /^\s*\d\d\s*$/.test(figures);
  if (isPair && /\d[.,]$/.test(before)) return text.trimEnd() + figures.trim();
  if (isPair && isCents) {
    if (!/\d$/.test(before)) return undefined;
    return text.trimEnd() + (/\.\d{3}$/.test(before) ? ',' : '.') + figures.trim();
  }
  return isRaised(node) ? text + figures.replace(/[\d,;+\-\u2212]/g, raisedForm) : undefined;
}

const RAISED_SIGNS = new Map([
  ['1', '\u00b9'],
  ['2', '\u00b2'],
  ['3', '\u00b3'],
  ['+', '\u207a'],
  ['-', '\u207b'],
  ['\u2212', '\u207b'],
  [',', ' '],
  [';', ' '],
]);

function raisedForm(char: string): string {
  return RAISED_SIGNS.get(char) ?? String.fromCodePoint(0x2070 + Number(char));
}

const RAISED_STYLE = /vertical-align\s?:\s?(?:super|sub|top|text-top)\b/i;
const RAISED_CLASS = /(?:^|[\s_-])(?:sup|superscript|sub|subscript|footnote|footnote-?ref)(?:$|[\s_-])/i;
const CENTS_CLASS = /(?:^|[\s_-])(?:cents?|fraction|fractional|decimals?|centimes?|pence)(?:$|[\s_-])/i;
const MAX_NAME_CHARS = 500;

function isRaised(node: Node): boolean {
  if (node.namespace === Namespace.mathml)
    return neighborOf(node, 'previous') !== null && /^msu[bp]/.test(node.parent?.name ?? '');
  if (isHtmlElement(node, 'sup') || isHtmlElement(node, 'sub')) return true;
  if (!isHtmlElement(node, 'span') && !isHtmlElement(node, 'small') && !isHtmlElement(node, 'a'))
    return false;
  return (
    RAISED_STYLE.test((attributeOf(node, 'style') ?? '').slice(0, MAX_NAME_CHARS)) ||
    RAISED_CLASS.test((attributeOf(node, 'class') ?? '').slice(0, MAX_NAME_CHARS))
  );
}

function saysCents(node: Node): boolean {
  return CENTS_CLASS.test((attributeOf(node, 'class') ?? '').slice(0, MAX_NAME_CHARS));
}

/** Nodes of an element that may hold figures alone. */
const MAX_NODES = 64;

/** Returns the text of a small element; undefined for a larger one. */
function shortTextOf(element: Node): string | undefined {
  let text = '';
  let count = 0;
  for (let node = nextInside(element, element); node !== null; node = nextInside(element, node)) {
    if (++count > MAX_NODES) return undefined;
    if (node.kind === NodeKind.text) text += node.value;
    if (text.length > MAX_FIGURES) return undefined;
  }
  return text;
}
