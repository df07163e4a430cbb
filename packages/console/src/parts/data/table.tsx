// biome-ignore-all lint/a11y/noRedundantRoles: rows that are laid out as cards lose the roles of a table unless these are set.
import { type ReactNode, useRef } from 'react';
import cards from './cards.module.css';
import styles from './data.module.css';
import { useIsNarrower } from './use-is-narrower.ts';

/** Widths in pixels below which the text of a column breaks into too many lines. */
const COLUMN_WIDTH = 130;
const NUMERIC_COLUMN_WIDTH = 80;

/** A column of a table. */
export interface Column<Row> {
  readonly head: string;
  readonly isNumeric?: boolean;
  /** Width in a dense table, as CSS has it; columns without one share the rest. */
  readonly width?: string;
  cell(row: Row): ReactNode;
}

/**
 * A table of rows with keys. Where its columns do not fit, each row is a card. A dense one cuts its cells to one line, and
 * shows cards of two columns without their names.
 */
export function Table<Row>(props: {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly look?: 'dense' | undefined;
  keyOf(row: Row): string;
}) {
  const { label, columns, rows, look, keyOf } = props;
  const section = useRef<HTMLElement>(null);
  const widths = columns.map(({ isNumeric }) => (isNumeric ? NUMERIC_COLUMN_WIDTH : COLUMN_WIDTH));
  const isNarrow = useIsNarrower(
    section,
    widths.reduce((sum, width) => sum + width, 0),
  );
  return (
    <section
      ref={section}
      className={isNarrow ? `${styles.scroll} ${cards.cards}` : styles.scroll}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it may scroll, so the keyboard has to reach it.
      tabIndex={0}
    >
      <table role="table" className={styles.table} data-look={look}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ head, isNumeric, width }) => (
              <th
                key={head}
                role="columnheader"
                scope="col"
                style={{ width }}
                data-numeric={isNumeric || undefined}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row">
              {columns.map(({ head, isNumeric, cell }) => (
                <td key={head} role="cell" data-label={head} data-numeric={isNumeric || undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
