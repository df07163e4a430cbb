import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Site, send, startSite } from '../sites/start-site.ts';
import {
  calendar,
  endlessPages,
  facets,
  growingLink,
  sessionInPath,
  sessionInQuery,
  softNotFound,
} from './endless-sites.ts';
import type { HostileSite } from './hostile-reply.ts';
import { canonicalHome, longUrls, manyLinks, stalledPages, twinNames } from './page-sites.ts';
import { failingRobots, htmlRobots, hugeRobots, loopingRobots, manyWildcards } from './robots-sites.ts';
import { entitySitemap, indexOfItself, oneLineSitemap, sitemapBomb } from './sitemap-sites.ts';

/** Sites that harm crawlers, or keep them busy for ever, by name. */
const SITES = {
  calendar,
  canonicalHome,
  endlessPages,
  entitySitemap,
  facets,
  failingRobots,
  growingLink,
  htmlRobots,
  hugeRobots,
  indexOfItself,
  longUrls,
  loopingRobots,
  manyLinks,
  manyWildcards,
  oneLineSitemap,
  sessionInPath,
  sessionInQuery,
  sitemapBomb,
  softNotFound,
  stalledPages,
  twinNames,
} as const satisfies Record<string, HostileSite>;

export type HostileSiteName = keyof typeof SITES;

/** Names of all hostile sites. */
export const HOSTILE_SITE_NAMES = Object.keys(SITES) as HostileSiteName[];

/** Starts a hostile site, which logs each request. */
export function startHostileSite(name: HostileSiteName): Promise<Site> {
  const answer: HostileSite = SITES[name];
  return startSite(async (visit) => {
    const reply = answer(visit);
    if (reply === undefined) return;
    if ('body' in reply) {
      send(visit, reply);
      return;
    }
    visit.response.writeHead(200, { 'content-type': reply.type });
    await pipeline(Readable.from(reply.parts), visit.response);
  });
}
