import type { Budget } from '../budget.ts';
import { attributeOf, Namespace, type Node, NodeKind, nextAfter, nextInside } from '../dom/node.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import { inputType } from './forms/form-control.ts';
import { lazily, type MatchRun, type Test } from './run.ts';

/** Tests `:lang(en)`: the language of the element or its nearest ancestor with one is `en` or a subtag of it. */
export function bindLang(wanted: string, run: MatchRun): Test {
  const languages = lazily(run, false, () => languagesOf(run));
  return ({ order }) => {
    const language = languages()[order];
    return language !== undefined && (language === wanted || language.startsWith(`${wanted}-`));
  };
}

function languagesOf({ document, budget }: MatchRun): readonly (string | undefined)[] {
  const languages = new Array<string | undefined>(document.elements.length);
  budget.spend(document.elements.length);
  for (const [order, element] of document.elements.entries()) {
    const parent = document.parents[order] as number;
    languages[order] = languageOf(element, document) ?? (parent >= 0 ? languages[parent] : undefined);
  }
  return languages;
}

function languageOf(element: Node, { isXml }: ParsedDocument): string | undefined {
  if (isXml) return languageInXml(element)?.toLowerCase();
  const own = element.attributes.find(({ name, prefix }) => name === 'lang' && (prefix === 'xml' || !prefix));
  return own?.value.toLowerCase();
}

/** Returns the language in XML: `xml:lang`, or `lang`, which only elements of HTML and SVG have. */
function languageInXml(element: Node): string | undefined {
  const own = element.attributes.find(
    ({ name, namespace }) => name === 'lang' && namespace === Namespace.xml,
  );
  if (own) return own.value;
  const hasLang = element.namespace === Namespace.html || element.namespace === Namespace.svg;
  return hasLang ? attributeOf(element, 'lang') : undefined;
}

type Direction = 'ltr' | 'rtl';

/** Tests `:dir(ltr)` and `:dir(rtl)`; any other name matches nothing. HTML §3.2.6.4. */
export function bindDir(wanted: string, run: MatchRun): Test {
  const directions = lazily(run, false, () => directionsOf(run));
  return ({ order }) => directions()[order] === wanted;
}

function directionsOf({ document, budget }: MatchRun): readonly Direction[] {
  const directions = new Array<Direction>(document.elements.length);
  for (const [order, element] of document.elements.entries()) {
    budget.spend(1);
    const parent = document.parents[order] as number;
    const inherited = (parent >= 0 && directions[parent]) || 'ltr';
    directions[order] = directionOf(element, inherited, budget);
  }
  return directions;
}

function directionOf(element: Node, inherited: Direction, budget: Budget): Direction {
  if (element.namespace !== Namespace.html) return inherited;
  const dir = attributeOf(element, 'dir')?.toLowerCase();
  if (dir === 'ltr' || dir === 'rtl') return dir;
  if (dir !== 'auto' && element.name !== 'bdi') return inherited;
  const value = SHOWN_VALUES.has(inputType(element)) ? attributeOf(element, 'value') : undefined;
  return (value ? directionOfText(value, budget) : directionOfContent(element, budget)) ?? 'ltr';
}

/** Types of input that show their value as text. */
const SHOWN_VALUES = new Set('hidden text search tel url email password submit reset button'.split(' '));

/** Elements whose text does not affect the direction around them. */
const ISOLATED = new Set(['bdi', 'script', 'style', 'textarea']);

function directionOfContent(root: Node, budget: Budget): Direction | null {
  let node = nextInside(root, root);
  while (node !== null) {
    const direction = node.kind === NodeKind.text ? directionOfText(node.value, budget) : null;
    if (direction) return direction;
    budget.spend(1);
    node = isIsolated(node) ? nextAfter(root, node) : nextInside(root, node);
  }
  return null;
}

function isIsolated(node: Node): boolean {
  return (
    node.kind === NodeKind.element && (ISOLATED.has(node.name) || attributeOf(node, 'dir') !== undefined)
  );
}

const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}]/u;

function directionOfText(text: string, budget: Budget): Direction | null {
  budget.spendReading(text.length);
  const letter = /\p{L}/u.exec(text)?.[0];
  if (letter === undefined) return null;
  return RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr';
}
