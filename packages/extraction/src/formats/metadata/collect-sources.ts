import type { Budget } from '../../budget.ts';
import { attributeOf, Namespace, type Node } from '../../dom/node.ts';
import type { ParsedDocument } from '../../dom/parse-document.ts';
import type { BaseUrl } from '../../dom/parse-url.ts';

/** Base URL and budget for the readers of metadata. */
export interface MetadataContext {
  /** Returns the base of relative URLs. */
  readonly base: () => BaseUrl;
  readonly budget: Budget;
}

/** Elements of a page that carry metadata, in document order. */
export interface MetadataSources {
  readonly metas: readonly Node[];
  readonly links: readonly Node[];
  /** Scripts of type application/ld+json. */
  readonly scripts: readonly Node[];
  /** Elements of microdata items that are not properties of other items. */
  readonly items: readonly Node[];
}

/** Collects the elements of metadata in one pass. */
export function collectSources({ elements }: ParsedDocument, budget: Budget): MetadataSources {
  budget.spend(elements.length);
  const metas: Node[] = [];
  const links: Node[] = [];
  const scripts: Node[] = [];
  const items: Node[] = [];
  for (const element of elements) {
    if (element.namespace !== Namespace.html) continue;
    if (element.name === 'meta') metas.push(element);
    else if (element.name === 'link') links.push(element);
    else if (element.name === 'script' && isJsonLd(element)) scripts.push(element);
    if (isTopItem(element)) items.push(element);
  }
  return { metas, links, scripts, items };
}

/** Returns true for the type application/ld+json, which may have parameters. */
function isJsonLd(script: Node): boolean {
  const [type] = (attributeOf(script, 'type') ?? '').split(';', 1);
  return type?.trim().toLowerCase() === 'application/ld+json';
}

function isTopItem(element: Node): boolean {
  return (
    element.attributes.length > 0 &&
    attributeOf(element, 'itemscope') !== undefined &&
    attributeOf(element, 'itemprop') === undefined
  );
}
