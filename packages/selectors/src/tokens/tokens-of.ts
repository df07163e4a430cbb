import { attributeOf, type Node } from '@gleaner/extraction';
import type { Page } from '../page.ts';
import { FLAW_PENALTIES, judgeName, MAX_NAME_CHARS, writtenPart } from './judge-name.ts';
import type { Condition, Token, TokenKind } from './token.ts';

/** Most classes of an element that are looked at. */
const MAX_CLASSES = 100;

/** Longest value of an attribute that is used. */
const MAX_VALUE_CHARS = 200;

/** Returns the names that an element has of its own: id, attributes, classes and tag. Generated names are left out. */
export function ownTokens(order: number, page: Page): readonly Token[] {
  const ofPage = known.get(page) ?? new Map<number, readonly Token[]>();
  known.set(page, ofPage);
  const before = ofPage.get(order);
  if (before) return before;
  const element = page.element(order);
  const tokens = [...attributeTokens(element, page), ...classTokens(element, page), tagToken(element, page)];
  ofPage.set(order, tokens);
  return tokens;
}

/** Conditions that were computed before, by page and element. */
const known = new WeakMap<Page, Map<number, readonly Token[]>>();

/** Returns the classes of an element, each once. */
export function classesOf(element: Node, page: Page): string[] {
  const list = attributeOf(element, 'class');
  if (list === undefined) return [];
  page.work(1 + (list.length >> 4));
  return [...new Set(list.split(/[ \t\n\f\r]+/, MAX_CLASSES + 1).filter((name) => name !== ''))].slice(
    0,
    MAX_CLASSES,
  );
}

function classTokens(element: Node, page: Page): Token[] {
  return classesOf(element, page).flatMap((name): Token[] => {
    if (name.length > MAX_NAME_CHARS) return [];
    const flaw = judgeName(name);
    if (flaw === 'generated') return partToken(name);
    const penalty = 2 + (flaw === null ? 0 : FLAW_PENALTIES[flaw]);
    return [{ kind: 'class', css: `.${escapeName(name)}`, penalty, condition: { on: 'class', name } }];
  });
}

/** Returns the part of a generated class that its author wrote, as a comparison with the attribute. */
function partToken(name: string): Token[] {
  const part = writtenPart(name);
  if (part === undefined) return [];
  return [attributeToken('class-part', { name: 'class', operator: '*=', value: part }, 4)];
}

/** Tags with a meaning, or with one element on a page. */
const TAG_PENALTIES: ReadonlyMap<string, number> = new Map([
  ...['title', 'h1', 'main'].map((name) => [name, 2] as const),
  ...['address', 'article', 'aside', 'caption', 'figcaption', 'footer', 'form', 'header', 'nav', 'time'].map(
    (name) => [name, 4] as const,
  ),
  ...['a', 'b', 'br', 'div', 'em', 'i', 'li', 'p', 'span', 'strong', 'td', 'tr'].map(
    (name) => [name, 9] as const,
  ),
]);

/** Condition that every element meets. */
export const ANY: Token = { kind: 'tag', css: '*', penalty: 0, condition: { on: 'any' } };

/** Condition that only the record around a field meets. */
export const SCOPE: Token = { kind: 'tag', css: ':scope', penalty: 0, condition: { on: 'scope' } };

/** Returns the condition on the tag of an element. */
export function tagToken({ name }: Node, page: Page): Token {
  const folded = page.document.isXml ? name : name.toLowerCase();
  const penalty = TAG_PENALTIES.get(folded) ?? 6;
  return { kind: 'tag', css: escapeName(name), penalty, condition: { on: 'tag', name: folded } };
}

interface AttributeRule {
  readonly kind: TokenKind;
  readonly penalty: number;
}

const RULES: ReadonlyMap<string, AttributeRule> = new Map<string, AttributeRule>([
  ...[
    'data-testid',
    'data-test-id',
    'data-test',
    'data-qa',
    'data-cy',
    'data-hook',
    'data-automation-id',
  ].map((name) => [name, { kind: 'test-id', penalty: 0.5 }] as const),
  ['itemprop', { kind: 'property', penalty: 1 }],
  ['property', { kind: 'property', penalty: 1 }],
  ['http-equiv', { kind: 'property', penalty: 1 }],
  ['name', { kind: 'attribute', penalty: 2 }],
  ['rel', { kind: 'attribute', penalty: 3 }],
  ['type', { kind: 'attribute', penalty: 4 }],
  ['role', { kind: 'attribute', penalty: 4 }],
  ['itemtype', { kind: 'attribute', penalty: 2 }],
  ['for', { kind: 'attribute', penalty: 3 }],
  ['hreflang', { kind: 'attribute', penalty: 5 }],
  ['aria-label', { kind: 'label', penalty: 6 }],
  ['href', { kind: 'address', penalty: 9 }],
  ['src', { kind: 'address', penalty: 10 }],
  ['alt', { kind: 'address', penalty: 10 }],
  ['title', { kind: 'address', penalty: 10 }],
  ['datetime', { kind: 'address', penalty: 11 }],
]);

/** Attributes with a meaning by their mere presence. */
const TELLING_PRESENCE = new Set(['itemscope', 'datetime', 'itemprop']);

function attributeTokens(element: Node, page: Page): Token[] {
  return element.attributes.slice(0, MAX_CLASSES).flatMap(({ name: given, namespace, value }): Token[] => {
    const name = page.document.isXml ? given : given.toLowerCase();
    if (namespace || value.length > MAX_VALUE_CHARS || !/^[a-z][\w-]*$/i.test(name)) return [];
    if (name === 'id') return idToken(value);
    const tokens: Token[] = [];
    if (TELLING_PRESENCE.has(name) || (name.startsWith('data-') && judgeName(name.slice(5)) === null)) {
      tokens.push(attributeToken('presence', { name, operator: 'exists', value: '' }, 5));
    }
    const rule = RULES.get(name) ?? ruleOfData(name, value);
    if (rule && value.trim() !== '') {
      tokens.push(attributeToken(rule.kind, { name, operator: '=', value }, rule.penalty));
    }
    return tokens;
  });
}

function idToken(value: string): Token[] {
  if (value === '' || value.length > MAX_NAME_CHARS || /[ \t\n\f\r]/.test(value)) return [];
  const flaw = judgeName(value);
  if (flaw === 'generated') return [];
  const penalty = 1 + (flaw === 'numbered' ? 3 : 0);
  return [{ kind: 'id', css: `#${escapeName(value)}`, penalty, condition: { on: 'id', value } }];
}

/** Returns the rule for `data-…`, whose values are names or, more often, the state of a script. */
function ruleOfData(name: string, value: string): AttributeRule | undefined {
  if (!name.startsWith('data-') || judgeName(name.slice(5)) !== null) return undefined;
  const isWord = value.length <= 40 && /^[\p{L}][\p{L}\p{N}_ -]*$/u.test(value) && judgeName(value) === null;
  return { kind: 'attribute', penalty: isWord ? 4 : 11 };
}

/** Creates a condition on an attribute. */
export function attributeToken(
  kind: TokenKind,
  test: Omit<Extract<Condition, { on: 'attribute' }>, 'on'>,
  penalty: number,
): Token {
  const { name, operator, value } = test;
  const css =
    operator === 'exists' ? `[${escapeName(name)}]` : `[${escapeName(name)}${operator}${quoteValue(value)}]`;
  return { kind, css, penalty, condition: { on: 'attribute', ...test } };
}

/** Returns the condition on the place of an element among its siblings of the same tag. */
export function positionToken(order: number, page: Page): Token {
  const place = page.placeOf(order);
  const penalty = 11 + 2 * Math.log2(place);
  if (place === 1)
    return { kind: 'position', css: ':first-of-type', penalty, condition: { on: 'position', place } };
  if (page.isLastOfType(order)) {
    return {
      kind: 'position',
      css: ':last-of-type',
      penalty: 12,
      condition: { on: 'position', place: 'last' },
    };
  }
  return { kind: 'position', css: `:nth-of-type(${place})`, penalty, condition: { on: 'position', place } };
}

/** Returns the condition that an element contains one with the inner condition. */
export function hasToken(inner: Token): Token {
  const penalty = 4 + inner.penalty;
  return { kind: 'has', css: `:has(${inner.css})`, penalty, condition: { on: 'has', inner } };
}

/** Returns the condition that a child of the element meets the token of the inner element, or contains it. */
export function childToken(
  order: number,
  { inner, token }: { inner: number; token: Token },
  page: Page,
): Token {
  let child = inner;
  while (page.parent(child) !== order) child = page.parent(child);
  const tag = tagToken(page.element(child), page);
  const isSelf = child === inner;
  const css = isSelf ? `:has(> ${token.css})` : `:has(> ${tag.css} ${token.css})`;
  const { name } = page.element(child);
  return {
    kind: 'has',
    css,
    penalty: 5 + token.penalty,
    condition: { on: 'child', name, isSelf, inner: token },
  };
}

/** Escapes a name for CSS, as `CSS.escape` does. CSSOM §2.1. */
export function escapeName(name: string): string {
  if (/^(?:[A-Za-z_]|-[A-Za-z_-])[\w-]*$/.test(name)) return name;
  const startsWithDigit = /^-?\d/.test(name);
  return Array.from(name, (char, index) => {
    const isLeadingDigit =
      startsWithDigit && /\d/.test(char) && index <= 1 && !/\d/.test(name.slice(0, index));
    if (isControl(char) || isLeadingDigit) return escapeCode(char);
    const isPlain = char >= '\u0080' || /[\w-]/.test(char);
    return isPlain && name !== '-' ? char : `\\${char}`;
  }).join('');
}

/** Writes a value as a CSS string. */
export function quoteValue(value: string): string {
  const escaped = Array.from(value, (char) => {
    if (isControl(char)) return escapeCode(char);
    return char === '"' || char === '\\' ? `\\${char}` : char;
  });
  return `"${escaped.join('')}"`;
}

function isControl(char: string): boolean {
  return char < ' ' || char === '\u007F';
}

/** Escapes a character by its number; NUL cannot be written in CSS. */
function escapeCode(char: string): string {
  return char === '\0' ? '\uFFFD' : `\\${char.charCodeAt(0).toString(16)} `;
}
