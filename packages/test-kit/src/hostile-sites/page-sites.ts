import { textFor } from '../noise/words.ts';
import { documentReply, type HostileSite, onlyPages } from './hostile-reply.ts';

const LINKS = 50_000;

/** Has 50,000 links on each page, all to pages of the site. */
export const manyLinks: HostileSite = onlyPages(({ url }) => {
  const links = Array.from({ length: LINKS }, (_, index) => `/n/${index}`);
  return documentReply(url.pathname, 'Links.', links);
});

const URL_CHARS = 8192;

/** Has links of 8 KiB, by a long path and by a long query. */
export const longUrls: HostileSite = onlyPages(({ url }) => {
  const links = Array.from({ length: 20 }, (_, index) => {
    const start = `${url.origin}/${index}${index % 2 === 0 ? '/' : '?q='}`;
    return start.padEnd(URL_CHARS, 'long');
  });
  return documentReply('Long', 'Long addresses.', [...links, '/short']);
});

/** Has ten pages with texts of their own, which all name the home page as their canonical URL. */
export const canonicalHome: HostileSite = onlyPages(({ url }) => {
  const page = Number(url.pathname.split('/').at(-1)) || 0;
  const links = Array.from({ length: 10 }, (_, index) => `/page/${index + 1}`);
  return documentReply(`Page ${page}`, textFor(page), links, `<link rel="canonical" href="${url.origin}/">`);
});

/** Links from its home page to pages that accept the request and never answer. */
export const stalledPages: HostileSite = onlyPages(({ url }) => {
  if (url.pathname !== '/') return undefined;
  return documentReply('Home', 'The others take their time.', ['/slow/1', '/slow/2', '/slow/3']);
});

/** Answers under the names 127.0.0.1 and localhost with the same pages, whose links lead to the other name. */
export const twinNames: HostileSite = onlyPages(({ url }) => {
  const other = new URL(url);
  other.hostname = url.hostname === 'localhost' ? '127.0.0.1' : 'localhost';
  return documentReply(url.pathname, textFor(url.pathname.length), [
    `${other.origin}/`,
    `${other.origin}/about`,
  ]);
});
