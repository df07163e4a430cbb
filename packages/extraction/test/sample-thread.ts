/** Thread of the pool's tests: extracts values from a page. */
import { threadId } from 'node:worker_threads';
import { Budget, type ExtractionPlan, extract, parseDocument, serveTasks } from '../src/index.ts';

/** A page in UTF-8, the plan to run on it, and its limit of steps. */
export interface SampleTask {
  readonly bytes: Uint8Array;
  readonly plan: ExtractionPlan;
  readonly maxSteps: number;
  /** Works until it is stopped. */
  readonly isEndless?: boolean;
  /** Returns the id of the thread instead of values. */
  readonly asksForThread?: boolean;
}

serveTasks(({ bytes, plan, maxSteps, isEndless, asksForThread }: SampleTask, checkpoint) => {
  const budget = new Budget({ maxSteps, checkpoint });
  while (isEndless) budget.spend(1);
  if (asksForThread) return { threadId };
  const document = parseDocument(new TextDecoder().decode(bytes), { budget });
  return extract(document, plan, { baseUrl: 'https://example.org/', budget }).data;
});
