import { documentReply, type HostileSite, textReply } from './hostile-reply.ts';

const MEBIBYTE = 1_048_576;

/** Has a robots.txt of 10 MiB; a rule at its beginning denies `/first/`, and one at its end `/last/`. */
export const hugeRobots: HostileSite = withRobots(() => {
  const filler = `${'# '.padEnd(127, 'x')}\n`.repeat((10 * MEBIBYTE) / 128);
  return textReply(`User-agent: *\nDisallow: /first/\n${filler}Disallow: /last/\n`);
});

const WILDCARD_RULES = 20_000;

/** Has a robots.txt of 20,000 rules with many wildcards, which all but match the paths of its links. */
export const manyWildcards: HostileSite = withRobots(() => {
  const rules = Array.from(
    { length: WILDCARD_RULES },
    (_, index) => `Disallow: /*a*a*a*a*a*a*a*a*${index}b$\n`,
  );
  return textReply(`User-agent: *\n${rules.join('')}`);
});

/** Has a robots.txt that fails with 503; crawlers must then fetch nothing. */
export const failingRobots: HostileSite = withRobots(() => textReply('Try again later.', 503));

/** Has a robots.txt that redirects to itself. */
export const loopingRobots: HostileSite = withRobots(({ url }) => {
  const location = `/robots.txt?turn=${Number(url.searchParams.get('turn') ?? 0) + 1}`;
  return { ...textReply('', 302), headers: { location } };
});

/** Answers robots.txt with a page of HTML and 200, as sites do that know one page only. */
export const htmlRobots: HostileSite = withRobots(() =>
  documentReply('Welcome', 'Disallow: / is what this page does not say.', ['/']),
);

/** Serves a robots.txt, and pages that link to some others. */
function withRobots(robots: HostileSite): HostileSite {
  return (visit) => {
    const { pathname } = visit.url;
    if (pathname === '/robots.txt') return robots(visit);
    if (pathname === '/sitemap.xml') return textReply('There is no such file.', 404);
    return documentReply(pathname, 'A page.', ['/', '/first/page', '/last/page', `/${'a'.repeat(200)}`]);
  };
}
