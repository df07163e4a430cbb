import { digest } from '../digest.ts';

/** For each cell of a table in document order: its row, column, and the numbers of rows and columns that it covers. */
export type Grid = readonly string[];

/** Grids by document, small enough to commit. */
export interface GridSheet {
  readonly browser: string;
  /** For each document, the number of tables, the number of cells, and a digest of its grids. */
  readonly documents: Readonly<Record<string, string>>;
}

/** Summarizes the grids of each document. */
export function toGridSheet(
  browser: string,
  documents: readonly { readonly name: string; readonly grids: readonly Grid[] }[],
): GridSheet {
  const rows = documents.map(({ name, grids }) => {
    const cells = grids.flat();
    return [name, `${grids.length} ${cells.length} ${digest(grids.map((grid) => grid.join()))}`];
  });
  return { browser, documents: Object.fromEntries(rows) };
}
