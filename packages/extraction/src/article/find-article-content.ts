import type { Budget } from '../budget.ts';
import { attributeOf, isHtmlElement, type Node, NodeKind } from '../dom/node.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import { isUnseen, textOf } from '../read/text-of.ts';
import { findLeftOut } from './clean-content.ts';
import { isForeign, type Strictness } from './element-roles.ts';
import { findContent } from './find-content.ts';
import { linkDensity, measureElements } from './measure-elements.ts';

/** Content of an article. */
export interface ArticleContent {
  /** Siblings in document order. */
  readonly roots: readonly Node[];
  /** Returns true for nodes inside the roots that do not belong to the article. */
  readonly isLeftOut: (node: Node) => boolean;
}

/** Length below which a stricter reading may have left out the article itself, in characters. */
const SHORT_CHARS = 250;

/** Finds the article of a page; returns undefined if no element holds paragraphs, and none is marked as the main content. */
export function findArticleContent(document: ParsedDocument, budget: Budget): ArticleContent | undefined {
  const strict = findWith(document, 'strict', budget);
  if (strict && strict.chars >= SHORT_CHARS) return strict;
  const lenient = findWith(document, 'lenient', budget);
  const found = lenient && lenient.chars > 2 * (strict?.chars ?? 0) ? lenient : strict;
  return found ?? findMain(document, budget);
}

/** Returns what the page marks as its main content. */
function findMain({ elements }: ParsedDocument, budget: Budget): ArticleContent | undefined {
  budget.spend(elements.length);
  const main =
    elements.find((element) => isHtmlElement(element, 'main') || attributeOf(element, 'role') === 'main') ??
    elements.find((element) => isHtmlElement(element, 'article'));
  const isLeftOut = (node: Node): boolean => node.kind === NodeKind.element && isForeign(node);
  if (main === undefined || textOf(main, budget, (node) => isUnseen(node) || isLeftOut(node)) === '')
    return undefined;
  return { roots: [main], isLeftOut };
}

function findWith(
  document: ParsedDocument,
  strictness: Strictness,
  budget: Budget,
): (ArticleContent & { readonly chars: number }) | undefined {
  const measures = measureElements(document, strictness, budget);
  const content = findContent(document, measures, budget);
  if (content.length === 0) return undefined;
  const chars = content.reduce(
    (sum, order) => sum + (measures.chars[order] as number) * (1 - linkDensity(measures, order)),
    0,
  );
  return {
    roots: content.map((order) => document.elements[order] as Node),
    isLeftOut: findLeftOut(document, content, measures, budget),
    chars,
  };
}
