import { foldCase } from '../css/fold-case.ts';
import { Namespace, type Node } from '../dom/node.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';

/** The value that `getAttribute` gives: names fold to lower case on HTML elements of HTML documents; null when it lacks it. */
export function attributeValue(element: Node, name: string, { isXml }: ParsedDocument): string | null {
  const wanted = !isXml && element.namespace === Namespace.html ? foldCase(name) : name;
  for (const { name: local, prefix, value } of element.attributes) {
    if ((prefix ? `${prefix}:${local}` : local) === wanted) return value;
  }
  return null;
}

/** The URL resolved against the base; as it stands when it is no URL. */
export function absoluteUrl(url: string, base: string): string {
  return URL.parse(url, base)?.href ?? url;
}
