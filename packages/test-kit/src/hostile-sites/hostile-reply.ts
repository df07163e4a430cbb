import type { Reply, SiteVisit } from '../sites/start-site.ts';

/** Answers a request to a hostile site; nothing leaves it unanswered. */
export type HostileSite = (visit: PageVisit) => Reply | Streamed | undefined;

/** The part of a visit that decides the answer. */
export type PageVisit = Pick<SiteVisit, 'url' | 'number'>;

/** A long answer, which is sent as the client takes it. */
export interface Streamed {
  readonly type: string;
  readonly parts: Iterable<string>;
}

/** Answers with a document of a title, a text and links. */
export function documentReply(title: string, text: string, links: readonly string[], head = ''): Reply {
  const items = links.map((href) => `<a href="${href.replaceAll('&', '&amp;')}">${title}</a>`);
  const body = `<!doctype html><title>${title}</title>${head}<h1>${title}</h1><p>${text}</p>\n${items.join('\n')}\n`;
  return { type: 'text/html; charset=utf-8', body };
}

/** Answers with a plain text. */
export function textReply(body: string | Uint8Array, status = 200): Reply {
  return { type: 'text/plain', body, status };
}

/** Serves the pages of a site that has no robots.txt and no sitemap. */
export function onlyPages(pages: HostileSite): HostileSite {
  return (visit) => {
    const isFile = visit.url.pathname === '/robots.txt' || visit.url.pathname === '/sitemap.xml';
    return isFile ? textReply('There is no such file.', 404) : pages(visit);
  };
}
