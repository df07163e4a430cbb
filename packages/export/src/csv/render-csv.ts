import type { ExportedOptions } from '../columns/crawl-columns.ts';
import { planTable, type TablePlan } from '../columns/rows.ts';
import { ExportThread } from '../thread.ts';
import { csvHead, linesOf } from './csv-lines.ts';

/** Characters after which lines are sent on: the rows of a page repeat its other columns, and may exceed the memory. */
const MAX_CHARACTERS = 64 * 1024;
/** Characters from which a result is written in a thread: parsing and quoting take some ten milliseconds each megabyte. */
const LARGE_RESULT = 512 * 1024;
const THREAD = new URL('./csv-thread.ts', import.meta.url);

/**
 * Writes a line for each page with a record, or one for each entry of a list; with `pages: all`, pages without a record have
 * a line as well.
 */
export async function* renderCsv(
  results: AsyncIterable<readonly string[]>,
  exported: ExportedOptions,
  plan: TablePlan = {},
): AsyncGenerator<string | Uint8Array> {
  await using threads = new AsyncDisposableStack();
  let thread: ExportThread<string, Uint8Array> | undefined;
  const table = planTable(exported, plan);
  let lines = csvHead(table);
  for await (const texts of results) {
    for (const text of texts) {
      if (text.length > LARGE_RESULT) {
        yield lines;
        lines = '';
        thread ??= threads.use(new ExportThread(THREAD, { exported, plan } satisfies CsvThreadData));
        yield* thread.write(text);
        continue;
      }
      for (const line of linesOf(text, table)) {
        lines += line;
        if (lines.length < MAX_CHARACTERS) continue;
        yield lines;
        lines = '';
      }
    }
    yield lines;
    lines = '';
  }
  yield lines;
}

/** Data that the thread is started with. */
export interface CsvThreadData {
  readonly exported: ExportedOptions;
  readonly plan: TablePlan;
}
