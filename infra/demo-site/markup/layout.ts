import type { Answer, Visit } from './answer.ts';
import { type Html, html, linkedData, type Part, trusted } from './html.ts';

/** Content of a page, and facts about it for its head. */
export interface Page {
  readonly title: string;
  readonly description?: string;
  readonly body: Html;
  /** Path of the page without parameters that make no other page. */
  readonly canonical?: string;
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
  const { status = 200, changed } = page;
  const body = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title} · Gleaner's demo bookshop</title>
${metaElements(visit, page)}
<link rel="icon" href="data:,">
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
<a href="/search">Search</a> <a href="/cart" rel="nofollow">Cart</a>
</nav>
</div></header>`;

const FOOTER = html`<footer><div class="bar">
<span>A shop that was made to be scraped. Nothing is for sale.</span>
<nav aria-label="Files"><a href="/sitemap.xml">Sitemap</a> <a href="/robots.txt">robots.txt</a></nav>
</div></footer>`;

/** Style of all pages, part of each. */
const STYLE = `
:root { --ink: #2b2622; --faint: #75695e; --line: #e6ddd0; --paper: #fdfaf5; --card: #fff; --accent: #9a3412; --good: #3f6b3a; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.6 Georgia, "Noto Serif", serif; }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 3px; }
h1, h2, h3 { line-height: 1.2; font-weight: 600; }
h1 { font-size: 2rem; margin: 1.2rem 0 .6rem; } h2 { font-size: 1.35rem; margin: 2rem 0 .6rem; }
main, .bar { max-width: 64rem; margin: 0 auto; padding: 0 1rem; }
body > header { border-bottom: 1px solid var(--line); background: var(--card); }
.bar { display: flex; flex-wrap: wrap; gap: .4rem 1.2rem; align-items: baseline; padding-top: .8rem; padding-bottom: .8rem; }
.bar a { text-decoration: none; } .bar nav a { white-space: nowrap; } .logo { font-size: 1.2rem; font-weight: 600; color: var(--ink); margin-right: auto; }
.bar nav { display: flex; flex-wrap: wrap; gap: .2rem 1rem; font-size: .95rem; }
body > footer { border-top: 1px solid var(--line); margin-top: 3rem; color: var(--faint); font-size: .9rem; }
.intro, .byline, .author, .stock, figcaption, .breadcrumbs { color: var(--faint); }
.books, .related ul, .specials { list-style: none; padding: 0; display: grid; gap: 1.4rem 1rem; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); }
.books .book, .specials .special { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .8rem; }
.books h2, .specials h2 { font-size: 1.02rem; margin: .6rem 0 .1rem; } .books h2 a, .related a { color: var(--ink); text-decoration: none; }
.books p, .specials p { margin: .15rem 0; font-size: .92rem; }
.cover { display: block; width: 100%; height: auto; aspect-ratio: 2 / 3; border-radius: 4px; box-shadow: 0 2px 8px #0003; }
.price { font-weight: 600; } .was { color: var(--faint); font-size: .92rem; } .stock.in { color: var(--good); }
.categories { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .5rem; }
.categories a { display: block; padding: .25rem .8rem; border: 1px solid var(--line); border-radius: 99px; background: var(--card); text-decoration: none; font-size: .95rem; }
.breadcrumbs ol { list-style: none; padding: 0; margin: 1rem 0 0; display: flex; flex-wrap: wrap; font-size: .9rem; }
.breadcrumbs li + li::before { content: "›"; margin: 0 .5rem; }
.pages { display: flex; flex-wrap: wrap; gap: .4rem .9rem; margin: 2rem 0; }
.hero { background: #f3e8d9; border-radius: 10px; padding: .4rem 1.4rem 1.2rem; margin-top: 1.4rem; }
.hero .title { font-size: 1.5rem; font-weight: 600; margin: .8rem 0 .2rem; line-height: 1.25; }
article.book { display: grid; gap: 0 2rem; grid-template-columns: minmax(0, 15rem) minmax(0, 1fr); align-items: start; margin-top: 1rem; }
article.book h1 { margin-top: 0; } article.book .price { font-size: 1.5rem; margin: .6rem 0 0; }
.button { display: inline-block; padding: .5rem 1.2rem; border-radius: 6px; background: var(--accent); color: #fff; text-decoration: none; margin-top: .4rem; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; font-size: .95rem; }
caption { text-align: left; color: var(--faint); padding-bottom: .3rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .8rem .4rem 0; border-top: 1px solid var(--line); } th { font-weight: 600; }
.review { border-top: 1px solid var(--line); padding: .6rem 0; } .review p { margin: .2rem 0; } .rating { color: #b45309; letter-spacing: .1em; }
.prose { max-width: 38rem; } .prose blockquote { border-left: 3px solid var(--line); margin: 1rem 0; padding: 0 0 0 1rem; font-style: italic; }
.prose figure { margin: 1.2rem 0; } .prose img { border-radius: 4px; }
pre { overflow-x: auto; background: #f3ede3; padding: .8rem 1rem; border-radius: 6px; font-size: .85rem; line-height: 1.45; }
.filters { font-size: .95rem; } .filters a { margin-right: .8rem; white-space: nowrap; }
input { font: inherit; padding: .35rem .6rem; border: 1px solid var(--line); border-radius: 6px; width: min(20rem, 60vw); }
button { font: inherit; padding: .35rem .9rem; border: 0; border-radius: 6px; background: var(--accent); color: #fff; }
@media (max-width: 560px) {
  body { font-size: 16px; } h1 { font-size: 1.6rem; }
  article.book { grid-template-columns: 1fr; } article.book > .cover { max-width: 11rem; margin-bottom: 1rem; }
  .books, .related ul, .specials { grid-template-columns: repeat(2, minmax(0, 1fr)); }
}
`;
