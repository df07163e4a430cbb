import { choose, chooseByPart, noise } from '../noise/noise.ts';
import { pageKey } from './page-key.ts';

/** A graph of pages on several hosts, which depends on its seed only. Its pages are computed, not stored. */
export interface SiteGraph {
  readonly seed: number;
  /** Number of pages, on all hosts. */
  readonly size: number;
  /** Origins of the hosts, without a slash at their end. */
  readonly origins: readonly string[];
  /** Changes of the site since it was first served. */
  readonly edits?: GraphEdits;
}

/** Changes of pages, by their numbers. */
export interface GraphEdits {
  /** Pages with another heading. */
  readonly edited: ReadonlySet<number>;
  /** Pages that are missing now. */
  readonly removed: ReadonlySet<number>;
  /** Pages that no plain link and no sitemap leads to any more. */
  readonly orphaned: ReadonlySet<number>;
}

/** Answer of the site: a document, a redirect to another page, 404 or 410, or a file without links. */
export type PageKind = 'page' | 'redirect' | 'missing' | 'file';

/**
 * Way to a page: a plain link; the sitemap only; a link of such a page; links with `nofollow` only; or none, after an
 * edit. Some of the hidden ones cannot be found at all.
 */
export type PageRole = 'linked' | 'listed' | 'hidden' | 'shunned' | 'orphaned';

/** Part of a site, by which robots.txt allows or denies pages. */
type Area = 'home' | 'docs' | 'shop' | 'list' | 'blog' | 'private' | 'open' | 'drafts' | 'prints' | 'files';

export interface GraphPage {
  readonly id: number;
  /** Index of its host. */
  readonly host: number;
  readonly kind: PageKind;
  readonly role: PageRole;
  readonly area: Area;
  /** Path with query, in its usual spelling. */
  readonly path: string;
  /** Page that a redirect leads to. */
  readonly target?: number;
  /** Page that the page names as its canonical one, often itself. */
  readonly canonical?: number;
  /** Way in which the page asks for none of its links to be followed. */
  readonly nofollow?: 'meta' | 'header';
  /** Path of its `<base>`. */
  readonly base?: string;
}

/** Number of pages below each page of the tree that connects the graph. */
const BRANCHES = 3;

/** A seed of its own for each random choice about a page. */
const FOR = { host: 1, role: 2, kind: 3, area: 4, target: 5, canonical: 6, nofollow: 7, base: 8, file: 9 };

const KINDS = [
  ['page', 0.92],
  ['redirect', 0.03],
  ['missing', 0.02],
  ['file', 0.03],
] as const satisfies readonly (readonly [PageKind, number])[];

const AREAS = [
  ['docs', 0.45],
  ['shop', 0.2],
  ['list', 0.12],
  ['blog', 0.12],
  ['private', 0.03],
  ['open', 0.04],
  ['drafts', 0.02],
  ['prints', 0.02],
] as const satisfies readonly (readonly [Area, number])[];

const PATHS: Readonly<Record<Area, (id: number) => string>> = {
  home: () => '/',
  docs: (id) => `/docs/guide-${id}`,
  shop: (id) => `/shop/item-${id}.html`,
  list: (id) => `/shop/list?group=${id}&view=all`,
  blog: (id) => `/blog/caf%C3%A9-${id}`,
  private: (id) => `/private/note-${id}`,
  open: (id) => `/private/open/note-${id}`,
  drafts: (id) => `/drafts/draft-${id}.html`,
  prints: (id) => `/docs/guide-${id}?print=1`,
  files: (id) => `/files/picture-${id}`,
};

/** Returns a page by its number; the first ones are the home pages of the hosts. */
export function pageOf(graph: SiteGraph, id: number): GraphPage {
  const { seed } = graph;
  const host = hostOf(graph, id);
  if (id < graph.origins.length) return { id, host, kind: 'page', role: 'linked', area: 'home', path: '/' };
  const role = roleOf(graph, id);
  const kind = kindOf(graph, id);
  const area: Area = kind === 'file' ? 'files' : chooseByPart(AREAS, noise(seed, id, FOR.area));
  const extension = kind === 'file' ? choose(['.png', '.mp3', '.zip'], noise(seed, id, FOR.file)) : '';
  const page = { id, host, kind, role, area, path: PATHS[area](id) + extension };
  if (kind === 'redirect')
    return { ...page, target: earlierPage(graph, id, FOR.target, ['page', 'redirect']) };
  return kind === 'page' ? { ...page, ...traitsOf(graph, id) } : page;
}

/** Returns the page at a URL, however it is spelled. */
export function findPage(graph: SiteGraph, url: URL): GraphPage | undefined {
  const host = graph.origins.indexOf(url.origin);
  if (host < 0) return undefined;
  const digits = /(?:-|[?&]group=)(\d+)/.exec(url.pathname + url.search)?.[1];
  const id = digits === undefined ? host : Number(digits);
  if (id >= graph.size) return undefined;
  const page = pageOf(graph, id);
  return pageKey(urlOf(graph, page)) === pageKey(url) ? page : undefined;
}

/** Returns the URL of a page in its usual spelling. */
export function urlOf({ origins }: SiteGraph, { host, path }: Pick<GraphPage, 'host' | 'path'>): string {
  return `${origins[host]}${path}`;
}

/** Returns the numbers of the pages below a page in the tree. */
export function childrenOf({ size }: SiteGraph, id: number): readonly number[] {
  const first = id * BRANCHES + 1;
  return Array.from({ length: BRANCHES }, (_, index) => first + index).filter((child) => child < size);
}

/** Returns true if a crawler that obeys robots.txt reads links on the page. */
export function hasOpenLinks({ kind, area, nofollow }: GraphPage): boolean {
  const isDenied = area === 'private' || area === 'drafts' || area === 'prints';
  return kind === 'page' && !isDenied && nofollow === undefined;
}

/** Most pages are on the host of the page above them. */
function hostOf(graph: SiteGraph, id: number): number {
  const { seed, origins } = graph;
  if (id < origins.length) return id;
  const at = noise(seed, id, FOR.host);
  return at < 0.95
    ? hostOf(graph, Math.floor((id - 1) / BRANCHES))
    : Math.floor(((at - 0.95) / 0.05) * origins.length);
}

/** Pages without others below them may be hard to find. */
function roleOf(graph: SiteGraph, id: number): PageRole {
  if (graph.edits?.orphaned.has(id)) return 'orphaned';
  return firstRoleOf(graph, id);
}

function firstRoleOf(graph: SiteGraph, id: number): PageRole {
  const isLeaf = id >= graph.origins.length && id * BRANCHES + 1 >= graph.size;
  const at = noise(graph.seed, id, FOR.role);
  if (!isLeaf || at >= 0.12) return 'linked';
  if (at < 0.04) return 'listed';
  return at < 0.08 ? 'hidden' : 'shunned';
}

function kindOf(graph: SiteGraph, id: number): PageKind {
  return graph.edits?.removed.has(id) ? 'missing' : firstKindOf(graph, id);
}

/** Returns the kind that a page had before all edits. */
export function firstKindOf(graph: SiteGraph, id: number): PageKind {
  if (id < graph.origins.length || firstRoleOf(graph, id) !== 'linked') return 'page';
  return chooseByPart(KINDS, noise(graph.seed, id, FOR.kind));
}

function traitsOf(graph: SiteGraph, id: number): Pick<GraphPage, 'canonical' | 'nofollow' | 'base'> {
  const { seed } = graph;
  const nofollow = noise(seed, id, FOR.nofollow);
  if (nofollow < 0.03) return { nofollow: nofollow < 0.015 ? 'meta' : 'header' };
  const at = noise(seed, id, FOR.canonical);
  return {
    ...(at < 0.06 && { canonical: earlierPage(graph, id, FOR.canonical, ['page']) }),
    ...(at >= 0.06 && at < 0.5 && { canonical: id }),
    ...(noise(seed, id, FOR.base) < 0.03 && { base: '/docs/' }),
  };
}

/** Returns a page with a smaller number, so that no two pages lead to each other. */
function earlierPage(graph: SiteGraph, id: number, choice: number, kinds: readonly PageKind[]): number {
  let earlier = Math.floor(noise(graph.seed, id, choice, 1) * id);
  while (firstRoleOf(graph, earlier) !== 'linked' || !kinds.includes(firstKindOf(graph, earlier)))
    earlier -= 1;
  return earlier;
}
