import { defined } from '@gleaner/contracts';
import { escapeAttribute, replaceForbidden } from '@gleaner/xml';
import type { FeedEntry } from './feed-entries.ts';

/** A feed with its entries, newest first. */
export interface Feed {
  readonly id: string;
  readonly title: string;
  readonly url: string | undefined;
  readonly updatedAt: Date;
  readonly entries: readonly FeedEntry[];
}

/**
 * Renders a feed as Atom ([RFC 4287](https://www.rfc-editor.org/rfc/rfc4287)). It has no link to itself, which would carry the
 * token to wherever a reader shows it. docs/decisions/feeds.md names the libraries that could do it.
 */
export function renderAtom({ id, title, url, updatedAt, entries }: Feed): string {
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    element('id', id),
    element('title', title),
    element('updated', updatedAt.toISOString()),
    '<author><name>Gleaner</name></author>',
    ...linkTo(url),
    ...entries.flatMap(renderEntry),
    '</feed>\n',
  ].join('\n');
}

function renderEntry({ id, kind, rule, title, lines, at, url }: FeedEntry): string[] {
  const items = lines.map((line) => `<li>${escapeMarkup(line)}</li>`);
  return [
    '<entry>',
    element('id', id),
    element('title', title),
    element('updated', at.toISOString()),
    ...linkTo(url),
    ...[kind, rule].flatMap((term) =>
      term === undefined ? [] : [`<category term="${escapeMarkup(term)}"/>`],
    ),
    `<content type="html">${escapeMarkup(`<ul>${items.join('')}</ul>`)}</content>`,
    '</entry>',
  ];
}

function element(name: string, text: string): string {
  return `<${name}>${escapeMarkup(text)}</${name}>`;
}

/** Returns the link to a web page; none to anything else. */
function linkTo(url: string | undefined): string[] {
  return isOnWeb(url) ? [`<link rel="alternate" href="${escapeMarkup(url)}"/>`] : [];
}

function isOnWeb(url: string | undefined): url is string {
  return url !== undefined && /^https?:$/.test(URL.parse(url)?.protocol ?? '');
}

/** Returns a text for an element or a quoted attribute, in XML as in HTML. */
function escapeMarkup(text: string): string {
  return escapeAttribute(replaceForbidden(text));
}

/** Renders a feed as [JSON Feed 1.1](https://www.jsonfeed.org/version/1.1/). */
export function renderJsonFeed({ title, url, entries }: Feed): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    ...(isOnWeb(url) && { home_page_url: url }),
    items: entries.map(({ id, kind, rule, title: headline, lines, at, url: page }) => ({
      id,
      ...(isOnWeb(page) && { url: page }),
      title: headline,
      content_text: lines.join('\n'),
      date_published: at.toISOString(),
      tags: Object.values(defined({ kind, rule })),
    })),
  });
}
