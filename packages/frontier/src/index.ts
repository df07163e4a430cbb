export { compileRobots, type RobotsMatcher } from './robots/compile-robots.ts';
export { parseRobots, type Robots, type RobotsRule } from './robots/parse-robots.ts';
export {
  type Admission,
  type AdmittedStart,
  type CompiledFilter,
  compileFilter,
  createScope,
  namePatterns,
  placeOf,
} from './scope/crawl-filter.ts';
export {
  compileUrlPattern,
  findUrlPatternError,
  type UrlMatcher,
} from './scope/url-pattern.ts';
export type { ListedPage } from './sitemaps/listed-entry.ts';
export { type Sitemap, SitemapReader } from './sitemaps/sitemap-reader.ts';
export { comparableUrl, type IgnoredQuery, urlKey } from './urls/url-key.ts';
export { findTrap, type TrapReason, urlPatterns } from './urls/url-shape.ts';
