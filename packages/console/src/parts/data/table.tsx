import type { ReactNode } from 'react';
import styles from './table.module.css';

/** A column of a table. */
export interface Column<Row> {
  readonly head: string;
  readonly isNumeric?: boolean;
  /** True for columns that narrow screens leave out. */
  readonly isMinor?: boolean;
  cell(row: Row): ReactNode;
}

/** A table of rows with keys. Narrow screens scroll it sideways. */
export function Table<Row>(props: {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  keyOf(row: Row): string;
}) {
  const { label, columns, rows, keyOf } = props;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it.
    <section className={styles.scroll} aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map(({ head, isNumeric, isMinor }) => (
              <th
                key={head}
                scope="col"
                data-numeric={isNumeric || undefined}
                data-minor={isMinor || undefined}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ head, isNumeric, isMinor, cell }) => (
                <td key={head} data-numeric={isNumeric || undefined} data-minor={isMinor || undefined}>
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
