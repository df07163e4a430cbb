import type { SiteGraph } from './graph-page.ts';

/** A line of a robots.txt for the crawler. */
export interface GraphRule {
  readonly isAllowed: boolean;
  readonly pattern: string;
}

/** The robots.txt of a host: rules for the crawler by name, for all crawlers, or none, as the file is missing. */
export interface GraphRobots {
  readonly group: 'named' | 'all' | 'missing';
  readonly rules: readonly GraphRule[];
  /** Path of the sitemap, which a missing file does not name. */
  readonly sitemap: string;
}

const RULES: readonly GraphRule[] = [
  { isAllowed: false, pattern: '/private/' },
  { isAllowed: true, pattern: '/private/open/' },
  { isAllowed: false, pattern: '/*?print=' },
  { isAllowed: false, pattern: '/drafts/*.html$' },
  { isAllowed: false, pattern: '/blog/caf%c3%a9-13' },
];

const BY_HOST: readonly GraphRobots[] = [
  { group: 'named', rules: RULES, sitemap: '/maps/index.xml' },
  { group: 'all', rules: RULES, sitemap: '/maps/index.xml' },
  { group: 'missing', rules: [], sitemap: '/sitemap.xml' },
];

/** Returns the robots.txt of a host. */
export function robotsOf(host: number): GraphRobots {
  return BY_HOST[host % BY_HOST.length] as GraphRobots;
}

/** Renders the robots.txt of a host for a crawler; undefined where it is missing. */
export function renderRobots({ origins }: SiteGraph, host: number, crawler: string): string | undefined {
  const { group, rules, sitemap } = robotsOf(host);
  if (group === 'missing') return undefined;
  const lines = rules.map(({ isAllowed, pattern }) => `${isAllowed ? 'Allow' : 'Disallow'}: ${pattern}`);
  const own = [`User-agent: ${group === 'named' ? crawler.toLowerCase() : '*'}`, ...lines];
  const others =
    group === 'named' ? ['User-agent: *', 'Disallow: /'] : ['User-agent: OtherBot', 'Disallow: /'];
  return ['# A graph of pages', ...others, '', ...own, '', `Sitemap: ${origins[host]}${sitemap}`, ''].join(
    '\n',
  );
}
