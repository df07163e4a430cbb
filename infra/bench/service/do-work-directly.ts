import { selectAll, selectOne } from 'css-select';
import type { AnyNode, Element } from 'domhandler';
import { textContent } from 'domutils';
import type got from 'got';
import { parse } from 'parse5';
import { adapter } from 'parse5-htmlparser2-tree-adapter';

/** Fields that both sides extract. */
export const SELECTORS = {
  title: 'title',
  headings: 'h2::text::all',
  prices: '.price::text::all',
  links: 'h2 a::attr(href)::all',
};

/** Extracts the same values from the same page without a service: got, parse5 and css-select, called directly. */
export async function doWorkDirectly(url: string, client: typeof got): Promise<Record<string, unknown>> {
  const html = await client(url).text();
  const document = parse(html, { treeAdapter: adapter });
  const texts = (css: string) => selectAll(css, document).map((element) => collapse(textContent(element)));
  const title = selectOne('title', document);
  return {
    title: title && collapse(textContent(title)),
    headings: texts('h2'),
    prices: texts('.price'),
    links: selectAll<AnyNode, Element>('h2 a', document).map((link) => link.attribs.href),
  };
}

function collapse(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
