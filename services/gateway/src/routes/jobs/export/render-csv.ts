import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { csvCell, csvLine } from '@gleaner/contracts/csv';
import type { ExportedOptions } from './crawl-columns.ts';
import { type CsvPlan, linesOf, planLines } from './csv-lines.ts';

/** Characters after which lines are sent on: the rows of a page repeat its other columns, and may exceed the memory. */
const MAX_CHARACTERS = 64 * 1024;
/** Characters from which a result is written in a thread: parsing and quoting take some ten milliseconds each megabyte. */
const LARGE_RESULT = 512 * 1024;

/**
 * Writes a line for each page with a record, or one for each entry of a list; with `pages: all`, pages without a record have
 * a line as well.
 */
export async function* renderCsv(
  results: AsyncIterable<readonly string[]>,
  exported: ExportedOptions,
  plan: CsvPlan = {},
): AsyncGenerator<string | Uint8Array> {
  await using threads = new AsyncDisposableStack();
  let thread: CsvThread | undefined;
  const writer = planLines(exported, plan);
  let lines = csvLine(writer.columns.map(({ name }) => csvCell(name)));
  for await (const texts of results) {
    for (const text of texts) {
      if (text.length > LARGE_RESULT) {
        yield lines;
        lines = '';
        thread ??= threads.use(new CsvThread({ exported, plan }));
        yield* thread.write(text);
        continue;
      }
      for (const line of linesOf(text, writer)) {
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
  readonly plan: CsvPlan;
}

/** A result of the largest size takes about 200 MB. */
const MAX_HEAP_MB = 1024;

/** Thread for the large results of one export, to keep the event loop free. */
class CsvThread implements AsyncDisposable {
  readonly #worker: Worker;

  constructor(workerData: CsvThreadData) {
    this.#worker = new Worker(new URL('./csv-thread.ts', import.meta.url), {
      workerData,
      env: {},
      name: 'csv',
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    // The wait for a piece reports it.
    this.#worker.on('error', () => {});
  }

  /** Yields the lines of a result, a few at a time. Throws what ended the thread. */
  async *write(text: string): AsyncGenerator<Uint8Array> {
    for (let message: string | null = text; ; message = null) {
      const answer = once(this.#worker, 'message');
      this.#worker.postMessage(message);
      const [piece] = await answer;
      if (piece === undefined) return;
      yield piece;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }
}
