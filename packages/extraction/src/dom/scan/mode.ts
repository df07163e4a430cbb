/** Insertion modes (HTML §13.2.4.1) that a scan knows, in the order in which a page passes through them. */
export const Mode = {
  initial: 0,
  beforeHead: 1,
  head: 2,
  headNoscript: 3,
  afterHead: 4,
  body: 5,
  cell: 6,
  caption: 7,
  select: 8,
  table: 9,
  columns: 10,
  rows: 11,
  row: 12,
} as const;
export type Mode = (typeof Mode)[keyof typeof Mode];
