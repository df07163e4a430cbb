import type { Answer, Visit } from '../markup/answer.ts';
import { type Html, html, linkedData, trusted } from '../markup/html.ts';
import { breadcrumbs, render } from '../markup/layout.ts';
import { ARTICLES, type Article } from '../shop/shop.ts';
import { formatDate } from './cards.ts';

const CRUMBS = [
  { name: 'Home', path: '/' },
  { name: 'Blog', path: '/blog' },
];

/** Lists the articles, the newest first. */
export function blog(visit: Visit): Answer {
  const items = ARTICLES.map(
    (article) => html`<article class="teaser">
<h2><a href="/blog/${article.slug}">${article.title}</a></h2>
${byline(article)}
<p>${article.summary}</p>
</article>
`,
  );
  return render(visit, {
    title: 'Letters from the shop',
    description: 'Letters from a bookshop whose visitors are mostly programs.',
    canonical: '/blog',
    body: html`${breadcrumbs(visit, CRUMBS)}<div class="prose"><h1>Letters from the shop</h1>${items}</div>`,
  });
}

/** Shows an article, with links to the one before and the one after it. */
export function article(visit: Visit): Answer | undefined {
  const index = ARTICLES.findIndex(({ slug }) => slug === visit.params.slug);
  const found = ARTICLES[index];
  if (!found) return undefined;
  const { slug, title, summary, body, changed, tags } = found;
  const path = `/blog/${slug}`;
  return render(visit, {
    title,
    description: summary,
    canonical: path,
    changed,
    head: [linkedData(describe(found, visit)), html`<meta property="og:type" content="article">`],
    body: html`
${breadcrumbs(visit, [...CRUMBS, { name: title, path }])}
<article class="prose">
<header><h1>${title}</h1>${byline(found)}</header>
${trusted(body)}
<p class="tags byline">Tags: ${tags.join(', ')}</p>
</article>
<nav class="pages" aria-label="Articles">
${neighbor('Newer', ARTICLES[index - 1])}
${neighbor('Older', ARTICLES[index + 1])}
</nav>`,
  });
}

function byline({ author, published }: Article): Html {
  return html`<p class="byline">By <span class="author">${author}</span>, <time datetime="${published}">${formatDate(published)}</time></p>`;
}

function neighbor(label: string, article: Article | undefined): Html | undefined {
  return article && html`<a href="/blog/${article.slug}">${label}: ${article.title}</a>`;
}

function describe(
  { slug, title, summary, author, published, changed, tags }: Article,
  { url }: Visit,
): object {
  return {
    '@type': 'BlogPosting',
    headline: title,
    description: summary,
    url: new URL(`/blog/${slug}`, url).href,
    author: { '@type': 'Person', name: author },
    datePublished: published,
    dateModified: changed,
    keywords: tags.join(', '),
    publisher: { '@type': 'Organization', name: "Gleaner's demo bookshop" },
  };
}
