import { Budget } from '../../src/budget.ts';
import { parseSelector } from '../../src/css/parse-selector.ts';
import { SelectorError, type SelectorList } from '../../src/css/selector.ts';
import type { Node } from '../../src/dom/node.ts';
import { type DocumentKind, parseDocument } from '../../src/dom/parse-document.ts';
import { ordersOfList } from '../../src/match/find-elements.ts';
import { startRun } from '../../src/match/run.ts';
import { htmlOf } from '../../src/read/html-of.ts';
import { textOf } from '../../src/read/text-of.ts';
import { xmlOf } from '../../src/read/xml-of.ts';
import { type Answer, NOT_WELL_FORMED, REJECTED, toAnswer } from './answers.ts';
import { digest } from './digest.ts';

/** Parses the selector; returns null if it is rejected. */
export function parseOrReject(selector: string): SelectorList | null {
  try {
    return parseSelector(selector);
  } catch (error) {
    if (error instanceof SelectorError) return null;
    throw error;
  }
}

/** Returns our answers on one document, in the same form as the browser's. */
export function askOurs(
  source: string,
  lists: readonly (SelectorList | null)[],
  kind: DocumentKind = 'html',
): Answer[] {
  const document = parseDocument(source, { kind });
  if (document.xmlError !== null) return lists.map(() => NOT_WELL_FORMED);
  const serialize = document.isXml ? xmlOf : htmlOf;
  const budget = new Budget({ maxSteps: Number.MAX_SAFE_INTEGER });
  const run = startRun(document, budget);
  const matches = document.elements.map((element) => digest([element.order, textOf(element, budget)]));
  const htmls = new Map<Node, string>();
  const firstHtml = (element: Node | undefined): string => {
    if (!element) return '';
    const html = htmls.get(element) ?? digest([serialize(element, budget)]);
    htmls.set(element, html);
    return html;
  };
  return lists.map((list) => {
    if (list === null) return REJECTED;
    const orders = ordersOfList(list, run);
    return toAnswer(
      orders.map((order) => matches[order] as string),
      firstHtml(document.elements[orders[0] ?? -1]),
    );
  });
}
