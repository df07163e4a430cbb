import { dirname } from 'node:path/posix';
import type { Import } from './read-imports.ts';

/** Two folders that import each other, each with one import as an example. */
export interface FolderCycle {
  folders: [string, string];
  imports: [Import, Import];
}

/**
 * Returns the pairs of folders that import each other. A folder and one inside it do not count: the files of a folder
 * may use its subfolders and be used by them. Tests do not count.
 */
export function findFolderCycles(imports: readonly Import[]): FolderCycle[] {
  const edges = new Map<string, Import>();
  for (const entry of imports) {
    if (entry.target === undefined || entry.file.endsWith('.test.ts') || entry.file.includes('/test/'))
      continue;
    const [from, to] = [dirname(entry.file), dirname(entry.target)];
    if (from === to || `${from}/`.startsWith(`${to}/`) || `${to}/`.startsWith(`${from}/`)) continue;
    const edge = keyOf(from, to);
    if (!edges.has(edge)) edges.set(edge, entry);
  }
  const cycles: FolderCycle[] = [];
  for (const [edge, there] of edges) {
    const [from = '', to = ''] = edge.split(' ');
    const back = edges.get(keyOf(to, from));
    if (back && from < to) cycles.push({ folders: [from, to], imports: [there, back] });
  }
  return cycles.sort((a, b) => keyOf(...a.folders).localeCompare(keyOf(...b.folders)));
}

function keyOf(from: string, to: string): string {
  return `${from} ${to}`;
}
