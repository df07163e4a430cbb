import { isAdmonition } from '../dom/admonition.ts';
import {
  attributeOf,
  isHtmlElement,
  Namespace,
  type Node,
  NodeKind,
  nextAfter,
  nextInside,
} from '../dom/node.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import { roleOf } from '../dom/role-of.ts';
import type { ExtractionWarning } from '../fields/warning-log.ts';
import { ordersOfList } from '../match/find-elements.ts';
import type { MatchRun } from '../match/run.ts';
import type { HiddenText } from '../read/hidden-text.ts';
import { type IsLeftOut, isHidden, isUnseen } from '../read/text-of.ts';
import { findMenus } from './find-menus.ts';
import type { PartPlan } from './plan-formats.ts';

/** The part of a page that a format is read from. */
export interface PagePart {
  /** Its outermost elements, in document order. */
  readonly roots: readonly Node[];
  /** Returns true for elements of the page that are not in it. */
  readonly isLeftOut: IsLeftOut;
  /** Why the part is not the one that was asked for. */
  readonly problem?: Problem;
}

/**
 * Finds the part of a page, of whose hidden text a plan may leave out all. An element that `include` matches is in it whatever surrounds it; one that `exclude` matches
 * never is, and nothing inside it. A page of which nothing but what surrounds the main content would be left is whole.
 */
export function findPart(plan: PartPlan, run: MatchRun, hidden: HiddenText): PagePart {
  const part = cutPart(plan, run, hidden);
  if (plan.include !== null || !plan.isMain || holdsContent(part, run)) return part;
  const whole = cutPart({ ...plan, isMain: false }, run, hidden);
  return holdsContent(whole, run) ? { ...whole, problem: NO_MAIN } : part;
}

const NO_MENUS: ReadonlySet<number> = new Set();

type Problem = Omit<ExtractionWarning, 'field'>;

const NO_MAIN: Problem = {
  code: 'MAIN_NOT_FOUND',
  message:
    'Nothing is left of the page without its header, footer, navigation, asides and dialogs, so it is whole: choose what to keep with "include".',
};

/** Returns the elements whose content is read: the body stands for the page. */
export function contentRoots({ elements }: ParsedDocument, { roots, isLeftOut }: PagePart): readonly Node[] {
  const body = elements.find((element) => isHtmlElement(element, 'body'));
  return roots
    .map((root) => (body && isHtmlElement(root, 'html') ? body : root))
    .filter((root) => !isLeftOut(root));
}

/** Properties of an element; all are inherited but the first. */
const INCLUDED = 1;
const SELECTED = 2;
const EXCLUDED = 4;
/** Surrounds the main content. */
const AROUND = 8;
/** In a section, whose header and footer are its own. */
const IN_SECTION = 16;
/** In what is marked as the main content, where nothing is a menu by its links or names. */
const IN_MAIN = 32;
const INHERITED = SELECTED | EXCLUDED | AROUND | IN_SECTION | IN_MAIN;

function cutPart(
  { isMain, include, exclude, dropsHidden }: PartPlan,
  run: MatchRun,
  hidden: HiddenText,
): PagePart {
  const { document, budget } = run;
  const { elements, parents } = document;
  budget.spend(2 * elements.length);
  const bits = new Uint8Array(elements.length);
  const included = include ? ordersOfList(include.list, run) : [];
  const excluded = exclude ? ordersOfList(exclude.list, run) : [];
  for (const order of included) bits[order] = INCLUDED;
  for (const order of excluded) bits[order] = EXCLUDED;
  if (dropsHidden) for (const { order } of hidden.elements) bits[order] = EXCLUDED;
  const holders = isMain ? findHolders(document) : undefined;
  const menus = holders && !document.isXml ? findMenus(document, budget) : NO_MENUS;
  const roots: Node[] = [];
  for (const element of elements) {
    const { order } = element;
    const parent = parents[order] as number;
    const inherited = parent < 0 ? (include ? 0 : SELECTED) : (bits[parent] as number) & INHERITED;
    let own = inherited | (bits[order] as number);
    if (holders) {
      budget.spend(element.attributes.length);
      const isMenu = menus.has(order) && (inherited & IN_MAIN) === 0;
      const isOut = isMenu || isAround(element, (inherited & IN_SECTION) > 0);
      if (!holders.has(order) && isOut) own |= AROUND;
      if (isSection(element)) own |= IN_SECTION;
      if (holders.has(order) && isMainPart(element)) own |= IN_MAIN;
    }
    if (own & INCLUDED) own = (own | SELECTED) & ~AROUND;
    bits[order] = own;
    if (isKept(own) && (parent < 0 || !isKept(inherited))) roots.push(element);
  }
  return {
    roots,
    isLeftOut: ({ kind, order }) => kind === NodeKind.element && order >= 0 && !isKept(bits[order] as number),
    ...(include && included.length === 0 && { problem: noMatch(include.css) }),
  };
}

function isKept(bits: number): boolean {
  return (bits & (SELECTED | EXCLUDED | AROUND)) === SELECTED;
}

function noMatch(css: string): Problem {
  return {
    code: 'SELECTOR_NO_MATCH',
    message: `The selector "${css}" of "include" matches nothing on the page.`,
  };
}

/** Returns the orders of the elements that are marked as the main content, and of those around them, which stay. */
function findHolders({ elements, parents }: ParsedDocument): ReadonlySet<number> {
  const holders = new Set<number>();
  for (const element of elements) {
    if (!isMainPart(element)) continue;
    for (let { order } = element; order >= 0 && !holders.has(order); order = parents[order] as number)
      holders.add(order);
  }
  return holders;
}

function isMainPart(element: Node): boolean {
  return isHtmlElement(element, 'main') || roleOf(element) === 'main';
}

/** Elements and roles that surround the main content, wherever they are. */
const AROUND_NAMES = new Set(['aside', 'dialog', 'head', 'nav', 'search']);
const AROUND_ROLES = new Set(
  'alertdialog banner complementary contentinfo dialog menu menubar navigation search'.split(' '),
);
/** Roles by which an author marks an element such as `aside` as content. */
const CONTENT_ROLES = new Set(['article', 'note', 'region']);
const SECTION_NAMES = new Set(['article', 'aside', 'main', 'nav', 'section']);
const SECTION_ROLES = new Set(['article', 'complementary', 'main', 'navigation', 'region']);

/** Returns true for elements around the main content. A header or footer of a section is its own (HTML-AAM 1.0 §3.5). */
function isAround(element: Node, isInSection: boolean): boolean {
  if (element.namespace !== Namespace.html) return isUnseen(element);
  const role = roleOf(element);
  if (AROUND_ROLES.has(role)) return true;
  if (CONTENT_ROLES.has(role)) return false;
  const { name } = element;
  if (name === 'a') return isSkipLink(element);
  if (name === 'header' || name === 'footer') return !isInSection;
  return (AROUND_NAMES.has(name) && !isAdmonition(element)) || isUnseen(element);
}

/** Returns true for a link that leads readers of screens over the menus. */
function isSkipLink(link: Node): boolean {
  const names = (attributeOf(link, 'class') ?? '').slice(0, 200);
  return /(?:^|[\s_-])skip(?![a-z])/.test(names) && attributeOf(link, 'href')?.startsWith('#') === true;
}

function isSection(element: Node): boolean {
  return (
    (element.namespace === Namespace.html && SECTION_NAMES.has(element.name)) ||
    SECTION_ROLES.has(roleOf(element))
  );
}

/** Returns true if there is a text or an image to read. */
function holdsContent(part: PagePart, { document, budget }: MatchRun): boolean {
  return contentRoots(document, part).some((root) => {
    for (let node: Node | null = root; node !== null; ) {
      budget.spendReading(node.value.length);
      const isOut: boolean = isHidden(node) || part.isLeftOut(node);
      const isSeen = node.kind === NodeKind.text ? /\S/.test(node.value) : isHtmlElement(node, 'img');
      if (isSeen && !isOut) return true;
      node = isOut ? nextAfter(root, node) : nextInside(root, node);
    }
    return false;
  });
}
