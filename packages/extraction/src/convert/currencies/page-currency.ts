import type { Budget } from '../../budget.ts';
import { attributeOf, isHtmlElement, type Node } from '../../dom/node.ts';
import type { ParsedDocument } from '../../dom/parse-document.ts';
import { isUnseen, rawText } from '../../read/text-of.ts';

/** Properties of `meta` that name the currency of the page's prices. */
const PROPERTIES = new Set(['og:price:currency', 'product:price:currency', 'pricecurrency']);

const PRICE_CURRENCY = /"priceCurrency"\s*:\s*"([A-Za-z]{3})"/g;

/** Returns the currency that a page declares in its metadata and JSON-LD, or undefined if it declares none or several. */
export function pageCurrency({ elements }: ParsedDocument, budget: Budget): string | undefined {
  budget.spend(elements.length);
  const codes = new Set<string>();
  for (const element of elements) {
    if (isHtmlElement(element, 'meta')) addMeta(element, codes);
    else if (
      isHtmlElement(element, 'script') &&
      /^\s*application\/ld\+json/i.test(attributeOf(element, 'type') ?? '')
    ) {
      for (const [, code = ''] of rawText(element, isUnseen, budget).matchAll(PRICE_CURRENCY))
        codes.add(code.toUpperCase());
    }
  }
  const [code] = codes;
  return codes.size === 1 ? code : undefined;
}

function addMeta(meta: Node, codes: Set<string>): void {
  const name = attributeOf(meta, 'property') ?? attributeOf(meta, 'itemprop') ?? attributeOf(meta, 'name');
  if (name === undefined || !PROPERTIES.has(name.trim().toLowerCase())) return;
  const code = attributeOf(meta, 'content')?.trim().toUpperCase() ?? '';
  if (/^[A-Z]{3}$/.test(code)) codes.add(code);
}
