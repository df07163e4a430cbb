import { textFor } from '../noise/words.ts';
import { type GraphLink, linksOf } from './graph-links.ts';
import { type GraphPage, pageOf, type SiteGraph, urlOf } from './graph-page.ts';

/** Renders the document of a page: a heading that no other page has, some text, and its links. */
export function renderGraphPage(graph: SiteGraph, page: GraphPage): string {
  const { id, canonical, nofollow, base } = page;
  const links = linksOf(graph, page);
  const head = [
    '<meta charset="utf-8">',
    `<title>Page ${id}</title>`,
    ...(base === undefined ? [] : [`<base href="${base}">`]),
    ...(nofollow === 'meta' ? ['<meta name="robots" content="noindex, nofollow">'] : []),
    ...(canonical === undefined
      ? []
      : [`<link rel="canonical" href="${escapeAttribute(urlOf(graph, pageOf(graph, canonical)))}">`]),
    ...links.filter(({ element }) => element === 'link').map(renderLink),
  ];
  const body = links.filter(({ element }) => element !== 'link').map(renderLink);
  return `<!doctype html>
<html lang="en">
<head>
${head.join('\n')}
</head>
<body>
<h1>${headingOf(graph, id)}</h1>
<p>${textFor(graph.seed, id)}</p>
${body.join('\n')}
</body>
</html>
`;
}

/** Returns the heading of a page, which an edit changes. */
export function headingOf({ edits }: SiteGraph, id: number): string {
  return edits?.edited.has(id) ? `Page ${id}, edited` : `Page ${id}`;
}

function renderLink({ element, href, isNofollow }: GraphLink, index: number): string {
  const target = `href="${escapeAttribute(href)}"`;
  const rel = isNofollow ? ' rel="ugc nofollow"' : '';
  if (element === 'link') return `<link rel="${isNofollow ? 'next nofollow' : 'next'}" ${target}>`;
  if (element === 'area') return `<map name="map-${index}"><area ${target}${rel} alt="Area"></map>`;
  return `<a ${target}${rel}>Link ${index}</a>`;
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
