import { gzipSync } from 'node:zlib';
import type { Reply } from '../sites/start-site.ts';
import {
  documentReply,
  type HostileSite,
  type PageVisit,
  type Streamed,
  textReply,
} from './hostile-reply.ts';

const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const XML = 'application/xml';

/** Has an index of sitemaps naming itself, and the same index under ever new names. */
export const indexOfItself: HostileSite = withSitemap(({ url }) => {
  const level = url.searchParams.get('level') ?? '';
  const names = ['/sitemap.xml', `/sitemap.xml?level=${level}1`, `/sitemap.xml?level=${level}2`];
  const entries = names.map((name) => `<sitemap><loc>${new URL(name, url)}</loc></sitemap>`);
  return { type: XML, body: `<sitemapindex ${NAMESPACE}>${entries.join('')}</sitemapindex>` };
});

const BOMB_MEBIBYTES = 512;

/** Has a gzipped sitemap that is about a thousand times as large once it is unpacked: half a GiB of spaces, and one URL in each MiB. */
export const sitemapBomb: HostileSite = withSitemap(({ url }) => ({
  type: 'application/gzip',
  body: bombOf(url),
}));

function bombOf(url: URL): Buffer {
  const mebibyte = gzipSync(`<url><loc>${new URL('/same', url)}</loc></url>`.padEnd(1_048_576));
  // The members of a gzip file are unpacked one after another, as one text.
  const members = Array.from({ length: BOMB_MEBIBYTES }, () => mebibyte);
  return Buffer.concat([gzipSync(`<urlset ${NAMESPACE}>`), ...members, gzipSync('</urlset>')]);
}

const LOCATIONS = 1_000_000;

/** Has a sitemap of a million URLs without a line break. */
export const oneLineSitemap: HostileSite = withSitemap(({ url }) => ({
  type: XML,
  parts: oneLine(url.origin),
}));

function* oneLine(origin: string): Generator<string> {
  yield `<?xml version="1.0"?><urlset ${NAMESPACE}>`;
  for (let first = 0; first < LOCATIONS; first += 1000) {
    const entries = Array.from(
      { length: 1000 },
      (_, index) => `<url><loc>${origin}/p/${first + index}</loc></url>`,
    );
    yield entries.join('');
  }
  yield '</urlset>';
}

const ENTITY_LEVELS = 9;

/** Has a sitemap with entities that expand to a billion characters, and an external entity. */
export const entitySitemap: HostileSite = withSitemap(({ url }) => {
  const levels = Array.from({ length: ENTITY_LEVELS }, (_, level) => {
    return `<!ENTITY e${level + 1} "${`&e${level};`.repeat(10)}">`;
  });
  const declared = [
    '<!ENTITY e0 "x">',
    ...levels,
    `<!ENTITY outside SYSTEM "${new URL('/outside.txt', url)}">`,
  ];
  const entries = [`${url.origin}/&e${ENTITY_LEVELS};`, `${url.origin}/&outside;`, `${url.origin}/fine`];
  const body = `<?xml version="1.0"?>
<!DOCTYPE urlset [
${declared.join('\n')}
]>
<urlset ${NAMESPACE}>${entries.map((entry) => `<url><loc>${entry}</loc></url>`).join('\n')}</urlset>`;
  return { type: XML, body };
});

/** Serves a sitemap, a robots.txt that names it, and pages without links. */
function withSitemap(sitemap: (visit: PageVisit) => Reply | Streamed): HostileSite {
  return (visit) => {
    const { url } = visit;
    if (url.pathname === '/robots.txt') return textReply(`Sitemap: ${new URL('/sitemap.xml', url)}\n`);
    if (url.pathname === '/sitemap.xml') return sitemap(visit);
    return documentReply(url.pathname, 'A page.', ['/']);
  };
}
