import { tablesIn } from '../tables/tables-in.ts';
import { VirtualTable } from '../tables/virtual-table.tsx';
import type { Draft } from './draft/draft.ts';
import { type Extracted, recordsIn } from './draft/fill.ts';

/** The records as the service returns them. */
export function RecordTable(props: {
  readonly draft: Draft;
  readonly extracted: Extracted;
  /** True while the values for the last change are still being read. */
  readonly isStale: boolean;
}) {
  const { draft, extracted, isStale } = props;
  const { list } = draft;
  if (!list || recordsIn(extracted, draft).length === 0) return null;
  const name = list.name.trim();
  const [table] = tablesIn({ [name]: extracted.data?.[name] });
  if (!table) return null;
  return (
    <section
      className="stack-tight"
      aria-label="Values"
      aria-busy={isStale}
      style={{ opacity: isStale ? 0.6 : 1 }}
    >
      <h2>Values</h2>
      <VirtualTable label={name} columns={table.columns} rows={table.rows} />
    </section>
  );
}
