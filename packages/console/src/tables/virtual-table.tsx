import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { cellText } from './tables-in.ts';
import styles from './virtual-table.module.css';

const ROW_HEIGHT = 34;
const COLUMN_WIDTH = 150;
const NUMBER_WIDTH = 60;

/** A table of any length: only the rows in sight are in the document. */
export function VirtualTable(props: {
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** Opens what a row stands for; its number becomes a button. */
  readonly onOpen?: (index: number) => void;
}) {
  const { label, columns, rows, onOpen } = props;
  const scroll = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  });
  const shown = virtual.getVirtualItems();
  const before = shown[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (shown.at(-1)?.end ?? 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it.
    <section ref={scroll} className={styles.scroll} tabIndex={0} aria-label={label}>
      <table
        className={styles.table}
        aria-rowcount={rows.length + 1}
        style={{ minWidth: NUMBER_WIDTH + columns.length * COLUMN_WIDTH }}
      >
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" style={{ width: NUMBER_WIDTH }}>
              #
            </th>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Gap height={before} />
          {shown.map(({ index }) => (
            <tr key={index} aria-rowindex={index + 2} style={{ height: ROW_HEIGHT }}>
              <td>
                {onOpen ? (
                  <button
                    type="button"
                    className={styles.open}
                    aria-label={`Row ${index + 1}: show the page`}
                    onClick={() => onOpen(index)}
                  >
                    {index + 1}
                  </button>
                ) : (
                  index + 1
                )}
              </td>
              {columns.map((column, position) => (
                <Cell key={column} value={rows[index]?.[position]} />
              ))}
            </tr>
          ))}
          <Gap height={after} />
        </tbody>
      </table>
    </section>
  );
}

function Cell({ value }: { readonly value: unknown }) {
  if (value === null || value === undefined) return <td data-empty>null</td>;
  const text = cellText(value);
  return <td title={text}>{text}</td>;
}

/** Stands for the rows that are out of sight. */
function Gap({ height }: { readonly height: number }) {
  return height > 0 ? <tr style={{ height }} /> : null;
}
