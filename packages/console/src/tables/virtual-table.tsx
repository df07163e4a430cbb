// biome-ignore-all lint/a11y/noRedundantRoles: rows that are laid out as cards lose the roles of a table unless these are set.
import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import cards from '../parts/data/cards.module.css';
import { UrlText } from '../parts/data/url-text.tsx';
import { useIsNarrower } from '../parts/data/use-is-narrower.ts';
import { cellText } from './tables-in.ts';
import styles from './virtual-table.module.css';

const ROW_HEIGHT = 34;
const COLUMN_WIDTH = 150;
/** Room for a host and the end of a path. */
const URL_WIDTH = 280;
const NUMBER_WIDTH = 60;
/** Width from which on a table of many columns scrolls sideways instead. */
const MAX_CARDS_WIDTH = 600;
/** Height of a card without values: its number, its padding and its line. */
const CARD_HEIGHT = 43;
/** Height of two values beside one another in a card, with the gap above them. */
const CARD_PAIR_HEIGHT = 44;

/** A table of any length: only the rows in sight are in the document. On narrow screens, rows whose columns do not fit are cards. */
export function VirtualTable(props: {
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** Opens what a row stands for; its number becomes a button. */
  readonly onOpen?: (index: number) => void;
}) {
  const { label, columns, rows, onOpen } = props;
  const scroll = useRef<HTMLElement>(null);
  const widths = columns.map((_, position) => (isUrl(rows[0]?.[position]) ? URL_WIDTH : COLUMN_WIDTH));
  const fullWidth = widths.reduce((sum, width) => sum + width, NUMBER_WIDTH);
  const isNarrow = useIsNarrower(scroll, Math.min(fullWidth, MAX_CARDS_WIDTH));
  const height = isNarrow ? CARD_HEIGHT + CARD_PAIR_HEIGHT * Math.ceil(columns.length / 2) : ROW_HEIGHT;
  const { shown, before, after } = useRowsInSight(scroll, rows.length, height);
  return (
    <section
      ref={scroll}
      className={isNarrow ? `${styles.scroll} ${cards.cards}` : styles.scroll}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it.
      tabIndex={0}
      aria-label={label}
    >
      <table
        role="table"
        className={styles.table}
        aria-rowcount={rows.length + 1}
        style={isNarrow ? undefined : { minWidth: fullWidth }}
      >
        <Head columns={columns} widths={isNarrow ? undefined : widths} />
        <tbody role="rowgroup">
          <Gap height={before} />
          {shown.map((index) => (
            <Row
              key={index}
              index={index}
              columns={columns}
              height={height}
              onOpen={onOpen}
              values={rows[index] ?? []}
            />
          ))}
          <Gap height={after} />
        </tbody>
      </table>
    </section>
  );
}

/** Returns the positions of the rows in sight, and the heights of those before and after them. */
function useRowsInSight(scroll: RefObject<HTMLElement | null>, count: number, height: number) {
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroll.current,
    estimateSize: () => height,
    overscan: 12,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the heights that it keeps are those of the rows before.
  useLayoutEffect(() => virtual.measure(), [virtual, height]);
  const items = virtual.getVirtualItems();
  return {
    shown: items.map(({ index }) => index),
    before: items[0]?.start ?? 0,
    after: virtual.getTotalSize() - (items.at(-1)?.end ?? 0),
  };
}

function Head(props: {
  readonly columns: readonly string[];
  readonly widths: readonly number[] | undefined;
}) {
  const { columns, widths } = props;
  return (
    <thead role="rowgroup">
      <tr role="row" aria-rowindex={1}>
        <th role="columnheader" scope="col" style={{ width: NUMBER_WIDTH }}>
          #
        </th>
        {columns.map((column, position) => (
          <th key={column} role="columnheader" scope="col" style={widths && { width: widths[position] }}>
            {column}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function Row(props: {
  readonly index: number;
  readonly columns: readonly string[];
  readonly values: readonly unknown[];
  readonly height: number;
  readonly onOpen: ((index: number) => void) | undefined;
}) {
  const { index, columns, values, height, onOpen } = props;
  return (
    <tr role="row" aria-rowindex={index + 2} style={{ height }}>
      <td role="cell">
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
        <Cell key={column} label={column} value={values[position]} />
      ))}
    </tr>
  );
}

function Cell({ label, value }: { readonly label: string; readonly value: unknown }) {
  const isEmpty = value === null || value === undefined;
  const text = isEmpty ? 'null' : cellText(value);
  return (
    <td role="cell" data-label={label} data-empty={isEmpty || undefined} title={isEmpty ? undefined : text}>
      {isUrl(value) ? <UrlText url={text} /> : text}
    </td>
  );
}

function isUrl(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\/\S+$/.test(value);
}

/** Stands for the rows that are out of sight. */
function Gap({ height }: { readonly height: number }) {
  return height > 0 ? <tr style={{ height }} /> : null;
}
