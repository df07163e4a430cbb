import type { Language } from '../shop/locales.ts';
import type { Answer, Visit } from './answer.ts';
import { type Html, html, linkedData, type Part, trusted } from './html.ts';
import { STYLE } from './style.ts';

/** Content of a page, and facts about it for its head. */
export interface Page {
  readonly title: string;
  readonly description?: string;
  readonly body: Html;
  /** Path of the page without parameters that make no other page. */
  readonly canonical?: string;
  readonly language?: Language;
  readonly image?: string;
  /** Further elements of the head. */
  readonly head?: Part;
  readonly status?: number;
  readonly changed?: string;
}

/** A step of the way to a page. */
export interface Crumb {
  readonly name: string;
  readonly path: string;
}

/** Returns a page within the header and the footer of the shop. */
export function render(visit: Visit, page: Page): Answer {
  const { language = 'en', status = 200, changed } = page;
  const body = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title} · Gleaner's demo bookshop</title>
${metaElements(visit, page)}
<link rel="icon" href="data:,">
<link rel="alternate" type="application/rss+xml" title="Letters from the shop" href="/feed.xml">
<style>${trusted(STYLE)}</style>
${page.head}
</head>
<body>
${HEADER}
<main>
${page.body}
</main>
${FOOTER}
</body>
</html>
`;
  return {
    status,
    type: 'text/html; charset=utf-8',
    body: body.html,
    ...(changed !== undefined && { changed }),
  };
}

/** Renders the way to a page, for people and as linked data. */
export function breadcrumbs(visit: Visit, crumbs: readonly Crumb[]): Html {
  const data = {
    '@type': 'BreadcrumbList',
    itemListElement: crumbs.map(({ name, path }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: new URL(path, visit.url).href,
    })),
  };
  const steps = crumbs.map(({ name, path }, index) =>
    index < crumbs.length - 1
      ? html`<li><a href="${path}">${name}</a></li>`
      : html`<li aria-current="page">${name}</li>`,
  );
  return html`<nav class="breadcrumbs" aria-label="Breadcrumbs"><ol>${steps}</ol></nav>${linkedData(data)}`;
}

function metaElements({ url }: Visit, { title, description, canonical, image }: Page): Html {
  const absolute = (path: string) => new URL(path, url).href;
  return html`${description === undefined ? undefined : html`<meta name="description" content="${description}">`}
${canonical === undefined ? html`<meta name="robots" content="noindex">` : html`<link rel="canonical" href="${absolute(canonical)}">`}
<meta property="og:title" content="${title}">
${image === undefined ? undefined : html`<meta property="og:image" content="${absolute(image)}">`}`;
}

const HEADER = html`<header><div class="bar">
<a class="logo" href="/">Gleaner's demo bookshop</a>
<nav aria-label="Shop">
<a href="/books">Books</a> <a href="/specials">Specials</a> <a href="/blog">Blog</a>
<a href="/de" hreflang="de">Deutsch</a> <a href="/ja" hreflang="ja">日本語</a>
<a href="/search">Search</a> <a href="/cart" rel="nofollow">Cart</a>
</nav>
</div></header>`;

const FOOTER = html`<footer><div class="bar">
<span>A shop that was made to be scraped. Nothing is for sale.</span>
<nav aria-label="Files"><a href="/feed.xml">RSS</a> <a href="/sitemap.xml">Sitemap</a> <a href="/robots.txt">robots.txt</a>
<a href="/api/books">API</a></nav>
</div></footer>`;
