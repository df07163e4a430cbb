import { noise } from '../noise/noise.ts';
import { textFor } from '../noise/words.ts';
import { documentReply, type HostileSite, onlyPages } from './hostile-reply.ts';

/** Shows a month at `/calendar/2026/11`, and links to its days and to the months before and after it, without end. */
export const calendar: HostileSite = onlyPages(({ url }) => {
  const [year = 2026, month = 11, day] = url.pathname.split('/').slice(2).map(Number);
  const link = (offset: number) => {
    const date = new Date(Date.UTC(year, month - 1 + offset, 1));
    return `/calendar/${date.getUTCFullYear()}/${date.getUTCMonth() + 1}`;
  };
  const days = Array.from({ length: 28 }, (_, index) => `/calendar/${year}/${month}/${index + 1}`);
  const links = day === undefined ? [link(-1), link(1), ...days] : [link(0)];
  return documentReply(`${year}-${month}${day ? `-${day}` : ''}`, 'No events.', links);
});

/** Lists items at `/list?page=N`, with a next page for each N; each page has a text of its own. */
export const endlessPages: HostileSite = onlyPages(({ url }) => {
  const page = Number(url.searchParams.get('page') ?? 1);
  return documentReply(`Page ${page}`, textFor(page), [`/list?page=${page + 1}`, `/item/${page}`]);
});

/** Puts a new session id into the path of each link, on each visit: `/s/<id>/page/3`. */
export const sessionInPath: HostileSite = onlyPages(({ url, number }) => {
  const page = Number(url.pathname.split('/').at(-1)) || 1;
  return documentReply(
    `Page ${page}`,
    textFor(page),
    linksOfTen((other) => `/s/${sessionId(number)}/page/${other}`),
  );
});

/** Puts a new session id into the query of each link, on each visit, under a name that crawlers do not know. */
export const sessionInQuery: HostileSite = onlyPages(({ url, number }) => {
  const page = Number(url.pathname.split('/').at(-1)) || 1;
  return documentReply(
    `Page ${page}`,
    textFor(page),
    linksOfTen((other) => `/page/${other}?visit=${sessionId(number)}`),
  );
});

/** Answers each path with a page whose relative link leads one folder deeper: `/more/more/more/`. */
export const growingLink: HostileSite = onlyPages(() =>
  documentReply('More', 'There is more.', ['more/', 'about.html']),
);

const FACET_COUNT = 20;

/** Shows the same goods for each combination of 20 filters, and links to those that differ in one filter. */
export const facets: HostileSite = onlyPages(({ url }) => {
  const chosen = new Set(url.searchParams.keys());
  const links = Array.from({ length: FACET_COUNT }, (_, index) => {
    const toggled = chosen.symmetricDifference(new Set([`f${index}`]));
    return `/goods?${[...toggled]
      .toSorted()
      .map((name) => `${name}=1`)
      .join('&')}`;
  });
  return documentReply('Goods', 'Shirts, hats, and a lamp.', links);
});

/** Answers each path with 200 and the same "not found" page, whose links differ from path to path. */
export const softNotFound: HostileSite = onlyPages(({ url }) => {
  const keys = Array.from(url.pathname, (character) => character.charCodeAt(0));
  const links = [1, 2, 3].map((index) => `/old/${Math.floor(noise(...keys, index) * 1e9)}`);
  return documentReply('Not found', 'We could not find this page.', links);
});

/** Returns an id as servers make them: 32 hexadecimal digits. */
function sessionId(number: number): string {
  return [1, 2, 3, 4]
    .map((part) =>
      Math.floor(noise(number, part) * 2 ** 32)
        .toString(16)
        .padStart(8, '0'),
    )
    .join('');
}

function linksOfTen(linkTo: (page: number) => string): string[] {
  return Array.from({ length: 10 }, (_, index) => linkTo(index + 1));
}
