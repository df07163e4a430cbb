import type { Budget } from '../budget.ts';
import { foldCase } from '../css/code-points.ts';
import { Namespace, type Node } from '../dom/node.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import { type BaseUrl, parseUrl } from '../dom/parse-url.ts';

/** Returns what `getAttribute` does, or null: names are lower-cased for HTML elements of HTML documents. */
export function attributeValue(element: Node, name: string, { isXml }: ParsedDocument): string | null {
  const wanted = !isXml && element.namespace === Namespace.html ? foldCase(name) : name;
  for (const { name: local, prefix, value } of element.attributes) {
    if ((prefix ? `${prefix}:${local}` : local) === wanted) return value;
  }
  return null;
}

/** Resolves a URL against the base; returns it unchanged if it is not a valid URL. */
export function absoluteUrl(url: string, base: BaseUrl, budget: Budget): string {
  return parseUrl(url, base, budget)?.href ?? url;
}
