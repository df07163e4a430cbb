import { foldCase } from '../css/code-points.ts';
import type { ComplexSelector, CompoundSelector, SelectorList, SimpleSelector } from '../css/selector.ts';
import type { Projection } from '../dom/parse-projection.ts';
import type { FieldSteps, PlannedField } from './plan.ts';

/** Parts of a projection as they are collected. */
interface Parts {
  readonly names: Set<string>;
  readonly attributes: Set<string>;
  readonly texts: Set<string>;
  needsDocument: boolean;
}

/** Elements whose text is left out of the text around them: noscript, where it is in the head. */
const UNSEEN = ['script', 'style', 'noscript', 'head'];

/**
 * Returns the part of a document that the fields can see; null if they need the whole document, or so much of it that leaving
 * out the rest gains nothing: every element, or all with a class.
 */
export function projectPlan(fields: readonly PlannedField[]): Projection | null {
  const parts: Parts = {
    names: new Set(),
    attributes: new Set(),
    texts: new Set(),
    needsDocument: false,
  };
  addFields(fields, parts);
  if (parts.needsDocument) return null;
  const { names, attributes, texts } = parts;
  for (const name of UNSEEN) names.add(name);
  return { names, attributes, texts };
}

function addFields(fields: readonly PlannedField[], parts: Parts): void {
  for (const { list, value, steps } of fields) {
    if (value.kind === 'html') parts.needsDocument = true;
    if (value.kind === 'time') parts.attributes.add('datetime');
    if (steps !== null) addSteps(steps, parts);
    addList(list, parts, { isRead: value.kind === 'text' || value.kind === 'time' });
    if (value.kind === 'record') addFields(value.fields, parts);
    if (value.kind !== 'attribute') continue;
    parts.attributes.add(foldCase(value.name));
    if (value.isAbsolute) addAttribute('base', 'href', parts);
  }
}

/** Types that are made of more than texts. */
const TYPES_OF_ELEMENTS: ReadonlySet<string> = new Set(['table', 'rows', 'markdown']);

function addSteps({ type, json, exclude }: FieldSteps, parts: Parts): void {
  if (json !== null || (type !== null && TYPES_OF_ELEMENTS.has(type))) parts.needsDocument = true;
  if (exclude !== null) addList(exclude.list, parts, { isRead: false });
  // URLs are resolved by the base; numbers, prices and dates are read in the language of the page.
  addAttribute('base', 'href', parts);
  addAttribute('html', 'lang', parts);
  if (type === 'price') addPageCurrency(parts);
}

function addPageCurrency(parts: Parts): void {
  for (const attribute of ['property', 'itemprop', 'name', 'content']) addAttribute('meta', attribute, parts);
  addAttribute('script', 'type', parts);
  parts.texts.add('script');
}

function addAttribute(element: string, attribute: string, parts: Parts): void {
  parts.names.add(element);
  parts.attributes.add(attribute);
}

/** Use of the elements that a selector matches. */
interface Use {
  readonly isRead: boolean;
}

function addList(list: SelectorList, parts: Parts, use: Use): void {
  for (const complex of list) addComplex(complex, parts, use);
}

function addComplex({ compounds, combinators }: ComplexSelector, parts: Parts, use: Use): void {
  // Siblings and children are known only among all elements.
  if (combinators.some((combinator) => combinator !== ' ')) parts.needsDocument = true;
  for (const [index, compound] of compounds.entries()) {
    addCompound(compound, parts, { isRead: use.isRead && index === compounds.length - 1 });
  }
}

function addCompound(compound: CompoundSelector, parts: Parts, { isRead }: Use): void {
  for (const simple of compound) addSimple(simple, parts);
  const type = compound.find((simple) => simple.kind === 'type');
  if (type) {
    parts.names.add(type.name);
    if (isRead) parts.texts.add(type.name);
    return;
  }
  // The element of a record is kept as what its own selector matches.
  const isRecord = compound.some(({ kind }) => kind === 'scope');
  if (isRead || !isRecord) parts.needsDocument = true;
}

function addSimple(simple: SimpleSelector, parts: Parts): void {
  switch (simple.kind) {
    case 'id':
    case 'class':
      parts.attributes.add(simple.kind);
      break;
    case 'attribute':
      parts.attributes.add(simple.name);
      break;
    // Siblings and children are known only among all elements.
    case 'state':
    case 'lang':
    case 'dir':
    case 'nth':
    case 'only':
      parts.needsDocument = true;
      break;
    case 'is':
    case 'not':
      addList(simple.list, parts, { isRead: false });
      break;
    case 'has':
      for (const relative of simple.list) {
        if (relative.anchor !== ' ') parts.needsDocument = true;
        addComplex(relative, parts, { isRead: false });
      }
      break;
    default:
  }
}
