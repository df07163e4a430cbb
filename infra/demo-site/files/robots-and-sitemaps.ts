import { type Answer, file, type Visit } from '../markup/answer.ts';
import { escapeText } from '../markup/html.ts';
import { ARTICLES, BOOKS, SHOP_CATEGORIES } from '../shop/shop.ts';

/** A page in a sitemap, with the day of its last change. */
interface Entry {
  readonly path: string;
  readonly changed: string;
}

/** Paths that robots.txt denies; the pages exist. */
const DENIED = ['/cart', '/search'] as const;

/** Sitemaps by name. */
const SITEMAPS: Readonly<Record<string, readonly Entry[]>> = {
  pages: pageEntries(),
  books: BOOKS.map(({ path, changed }) => ({ path, changed })),
  blog: ARTICLES.map(({ slug, changed }) => ({ path: `/blog/${slug}`, changed })),
};

/** Returns the robots.txt, which names the sitemap. */
export function robots({ url }: Visit): Answer {
  const lines = [
    'User-agent: *',
    ...DENIED.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${new URL('/sitemap.xml', url)}`,
  ];
  return file('text/plain; charset=utf-8', `${lines.join('\n')}\n`);
}

/** Lists the sitemaps. */
export function sitemapIndex(visit: Visit): Answer {
  const entries = Object.entries(SITEMAPS).map(([name, pages]) => ({
    path: `/sitemaps/${name}.xml`,
    changed: latestOf(pages),
  }));
  return xml(visit, 'sitemapindex', 'sitemap', entries);
}

/** Lists the pages of one sitemap. */
export function sitemap(visit: Visit): Answer | undefined {
  const name = /^(.+)\.xml$/.exec(visit.params.file ?? '')?.[1] ?? '';
  const entries = Object.hasOwn(SITEMAPS, name) ? SITEMAPS[name] : undefined;
  return entries && xml(visit, 'urlset', 'url', entries);
}

function xml({ url }: Visit, root: string, element: string, entries: readonly Entry[]): Answer {
  const lines = entries.map(
    ({ path, changed }) =>
      `<${element}><loc>${escapeText(new URL(path, url).href)}</loc><lastmod>${changed}</lastmod></${element}>\n`,
  );
  const body = `<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${lines.join('')}</${root}>
`;
  return file('application/xml; charset=utf-8', body, latestOf(entries));
}

/** Returns the lists and single pages, with the last change of what they show. */
function pageEntries(): readonly Entry[] {
  const changed = latestOf(BOOKS);
  const paths = [
    ...['/', '/books', '/specials'],
    ...SHOP_CATEGORIES.map(({ slug }) => `/categories/${slug}`),
  ];
  return [...paths.map((path) => ({ path, changed })), { path: '/blog', changed: latestOf(ARTICLES) }];
}

function latestOf(entries: readonly { readonly changed: string }[]): string {
  return (
    entries
      .map(({ changed }) => changed)
      .toSorted()
      .at(-1) ?? ''
  );
}
