import { type Answer, file, type Visit } from '../markup/answer.ts';
import { escapeText } from '../markup/html.ts';
import { ARTICLES } from '../shop/shop.ts';

/** Returns the blog as RSS 2.0. */
export function feed({ url }: Visit): Answer {
  const absolute = (path: string) => new URL(path, url).href;
  const items = ARTICLES.map(
    ({ slug, title, summary, author, published, tags }) => `<item>
<title>${escapeText(title)}</title>
<link>${absolute(`/blog/${slug}`)}</link>
<guid>${absolute(`/blog/${slug}`)}</guid>
<pubDate>${new Date(published).toUTCString()}</pubDate>
<dc:creator>${escapeText(author)}</dc:creator>
${tags.map((tag) => `<category>${escapeText(tag)}</category>`).join('')}
<description>${escapeText(summary)}</description>
</item>
`,
  );
  const body = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel>
<title>Letters from the shop</title>
<link>${absolute('/blog')}</link>
<atom:link href="${absolute('/feed.xml')}" rel="self" type="application/rss+xml"/>
<description>Letters from a bookshop whose visitors are mostly programs.</description>
<language>en</language>
${items.join('')}</channel>
</rss>
`;
  return file('application/rss+xml; charset=utf-8', body, ARTICLES[0].published);
}
