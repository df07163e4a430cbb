import { tablesIn } from '../tables/tables-in.ts';
import { VirtualTable } from '../tables/virtual-table.tsx';
import type { MoreTab } from './result-tabs.tsx';

/** Returns a tab with the data as tables, if it has any rows. */
export function tableTabs(data: Readonly<Record<string, unknown>> | undefined): MoreTab[] {
  const tables = data ? tablesIn(data).filter(({ rows }) => rows.length > 0) : [];
  if (tables.length === 0) return [];
  const content = (
    <div className="stack">
      {tables.map(({ field, columns, rows }) => (
        <VirtualTable key={field ?? ''} label={field ?? 'Single values'} columns={columns} rows={rows} />
      ))}
    </div>
  );
  return [{ name: 'Table', content }];
}
