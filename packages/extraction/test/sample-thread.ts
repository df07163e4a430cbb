/** Thread of the pool's tests: extracts values from a page. */
import { Budget, type ExtractionPlan, extract, parseDocument, serveTasks } from '../src/index.ts';

/** A page in UTF-8, the plan to run on it, and its limit of steps. */
export interface SampleTask {
  readonly bytes: Uint8Array;
  readonly plan: ExtractionPlan;
  readonly maxSteps: number;
}

serveTasks(({ bytes, plan, maxSteps }: SampleTask) => {
  const budget = new Budget({ maxSteps });
  const document = parseDocument(new TextDecoder().decode(bytes), { budget });
  return extract(document, plan, { baseUrl: 'https://example.org/', budget }).data;
});
