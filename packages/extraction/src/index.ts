export { Budget } from './budget.ts';
export { parseDocument } from './dom/parse-document.ts';
export { compileSelectors } from './plan/compile-selectors.ts';
export { faultOfSelector } from './plan/fault-of-selector.ts';
export type { ExtractionPlan, SelectorMap } from './plan/plan.ts';
export { serveTasks } from './pool/serve-tasks.ts';
export { ThreadPool } from './pool/thread-pool.ts';
export { extract } from './values/extract.ts';
export { extractDefaults } from './values/extract-defaults.ts';
