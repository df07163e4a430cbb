import type { ClosureEntry } from './closure-of.ts';
import { findPage, type SiteGraph } from './graph-page.ts';
import { headingOf } from './render-graph-page.ts';

/** Keys of the pages of a crawl by how they differ from an earlier crawl with the same options. */
export interface GraphChanges {
  readonly new: ReadonlySet<string>;
  readonly changed: ReadonlySet<string>;
  readonly unchanged: ReadonlySet<string>;
  readonly gone: ReadonlySet<string>;
  /** Changed and unchanged pages that nothing links to any more. */
  readonly unlinked: ReadonlySet<string>;
}

/** Returns how pages differ between two closures, of the graph before and after edits, by their headings. */
export function changesOf(
  before: { readonly graph: SiteGraph; readonly closure: readonly ClosureEntry[] },
  after: { readonly graph: SiteGraph; readonly closure: readonly ClosureEntry[] },
): GraphChanges {
  const changes = {
    new: new Set<string>(),
    changed: new Set<string>(),
    unchanged: new Set<string>(),
    gone: new Set<string>(),
    unlinked: new Set<string>(),
  };
  const had = new Map(
    before.closure.flatMap((entry) => (entry.outcome === 'page' ? [[entry.key, entry]] : [])),
  );
  const has = new Map(after.closure.map((entry) => [entry.key, entry]));
  for (const { key, url, outcome } of after.closure) {
    if (outcome === 'missing' && had.has(key)) changes.gone.add(key);
    if (outcome !== 'page') continue;
    if (!had.has(key)) changes.new.add(key);
    else changes[differs(url, before.graph, after.graph) ? 'changed' : 'unchanged'].add(key);
  }
  for (const { key, url } of had.values()) {
    if (has.has(key)) continue;
    if (findPage(after.graph, new URL(url))?.kind !== 'page') {
      changes.gone.add(key);
      continue;
    }
    changes[differs(url, before.graph, after.graph) ? 'changed' : 'unchanged'].add(key);
    changes.unlinked.add(key);
  }
  return changes;
}

function differs(url: string, before: SiteGraph, after: SiteGraph): boolean {
  const page = findPage(after, new URL(url));
  return page !== undefined && headingOf(before, page.id) !== headingOf(after, page.id);
}
