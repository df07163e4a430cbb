import { choose, noise } from '../noise/noise.ts';
import { childrenOf, type GraphPage, hasOpenLinks, pageOf, type SiteGraph } from './graph-page.ts';
import { spellLink } from './spell-link.ts';

/** A link in the document of a page. */
export interface GraphLink {
  readonly element: 'a' | 'area' | 'link';
  /** As it is written, before it is escaped for HTML. */
  readonly href: string;
  readonly isNofollow: boolean;
}

const EXTRA_LINKS = 4;
/** A seed of its own for each random choice. */
const FOR = { extra: 21, element: 22, nofollow: 23, junk: 24, next: 25 };

/** Targets that are not pages, and the page itself. */
const JUNK = [
  ...['', '#top', 'mailto:shop@example.com', 'tel:+4930123456', 'javascript:void(0)', 'data:text/html,<p>x'],
  ...['http://', 'http://[', '//', 'ftp://127.0.0.1/file'],
];

/** Returns the links of a page in the order of its document. */
export function linksOf(graph: SiteGraph, page: GraphPage): readonly GraphLink[] {
  if (page.kind !== 'page') return [];
  const { seed } = graph;
  const targets = [
    ...childrenBelow(graph, page.id),
    ...extraTargets(graph, page.id),
    ...hiddenTargets(graph, page),
    page.host,
  ];
  const links = targets.map((id, index): GraphLink => {
    const target = pageOf(graph, id);
    const isNofollow = target.role === 'shunned' || noise(seed, page.id, index, FOR.nofollow) < 0.02;
    return {
      element: elementFor(graph, page, index),
      href: spellLink(graph, { from: page, to: target, index }),
      isNofollow,
    };
  });
  const junk = choose(JUNK, noise(seed, page.id, FOR.junk));
  return [...links, { element: 'a', href: junk, isNofollow: false }];
}

/** Returns the pages below a page; where crawlers do not pass a page, the pages below it are linked from here as well. */
function childrenBelow(graph: SiteGraph, id: number): readonly number[] {
  return childrenOf(graph, id).flatMap((child) => {
    const page = pageOf(graph, child);
    if (page.role === 'listed' || page.role === 'hidden' || page.role === 'orphaned') return [];
    return hasOpenLinks(page) ? [child] : [child, ...childrenBelow(graph, child)];
  });
}

/** Returns pages anywhere in the graph that others link to as well. */
function extraTargets(graph: SiteGraph, id: number): readonly number[] {
  const chosen = Array.from({ length: EXTRA_LINKS }, (_, index) =>
    Math.floor(noise(graph.seed, id, index, FOR.extra) * graph.size),
  );
  return chosen.filter((target) => pageOf(graph, target).role === 'linked');
}

/** Returns the next hidden page for one that only the sitemap lists. */
function hiddenTargets(graph: SiteGraph, { id, role }: GraphPage): readonly number[] {
  if (role !== 'listed') return [];
  const end = Math.min(graph.size, id + 60);
  for (let next = id + 1; next < end; next += 1) if (pageOf(graph, next).role === 'hidden') return [next];
  return [];
}

function elementFor({ seed }: SiteGraph, { id }: GraphPage, index: number): GraphLink['element'] {
  if (index === 0 && noise(seed, id, FOR.next) < 0.1) return 'link';
  return noise(seed, id, index, FOR.element) < 0.05 ? 'area' : 'a';
}
