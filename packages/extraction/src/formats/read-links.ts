import type { Budget } from '../budget.ts';
import { attributeOf, isHtmlElement, type Node, nextAfter, nextInside } from '../dom/node.ts';
import { hasUrlAsText, MAX_LINKS, pageLinks } from '../read/page-links.ts';
import { collapse, isUnseen, textOf } from '../read/text-of.ts';
import type { FormatReader } from './format-reader.ts';

interface Link {
  /** Absolute, with http or https. */
  readonly url: string;
  /** Text of the first of the URL's links that has one. */
  text: string | null;
  /** The `rel` of the URL's first link, in lower case. */
  readonly rel: string | null;
}

/** Reads the links of the page, each URL once, in document order; limited in number. */
export const readLinks: FormatReader = (document, { baseUrl, budget }) => {
  const links = new Map<string, Link>();
  for (const { url, element } of pageLinks(document, baseUrl, budget)) {
    const known = links.get(url);
    if (known === undefined && links.size >= MAX_LINKS) break;
    if (known === undefined) {
      links.set(url, {
        url,
        text: linkText(element, budget),
        rel: textOrNull(attributeOf(element, 'rel')?.toLowerCase()),
      });
    } else {
      known.text ??= linkText(element, budget);
    }
  }
  return [...links.values()].map(({ url, text, rel }) => ({ url, text, rel }));
};

/** Returns the text of a link as seen, else what assistive technology reads instead: aria-label, `alt` or `title`. */
function linkText(element: Node, budget: Budget): string | null {
  if (hasUrlAsText(element)) return null;
  return (
    textOrNull(textOf(element, budget, (node) => isUnseen(node) || isLink(node))) ??
    textOrNull(attributeOf(element, 'aria-label')) ??
    textOrNull(attributeOf(element, 'alt')) ??
    textOrNull(imageTexts(element, budget)) ??
    textOrNull(attributeOf(element, 'title'))
  );
}

/** Links inside a link are read for themselves. */
function isLink(node: Node): boolean {
  return node.name === 'a' && node.attributes.some(({ name }) => name === 'href');
}

function imageTexts(link: Node, budget: Budget): string {
  const texts: string[] = [];
  for (let node = link.first; node !== null; ) {
    budget.spend(1);
    if (isHtmlElement(node, 'img')) texts.push(attributeOf(node, 'alt') ?? '');
    node = isLink(node) ? nextAfter(link, node) : nextInside(link, node);
  }
  return texts.join(' ');
}

function textOrNull(text: string | undefined): string | null {
  return collapse(text ?? '') || null;
}
