export { Budget } from './budget.ts';
export { type DocumentKind, type ParsedDocument, parseDocument } from './dom/parse-document.ts';
export {
  areHeavy,
  extractFormats,
  type FormatReaders,
  loadFormatReaders,
} from './formats/extract-formats.ts';
export { compileSelectors, planSelectors } from './plan/compile-selectors.ts';
export { findSelectorError } from './plan/parse-field-selector.ts';
export type { ExtractionPlan, PlannedField, SelectorMap } from './plan/plan.ts';
export { FairQueue } from './pool/fair-queue.ts';
export { serveTasks } from './pool/serve-tasks.ts';
export { ThreadPool } from './pool/thread-pool.ts';
export { extract } from './values/extract.ts';
export { extractDefaults } from './values/extract-defaults.ts';
export { documentWarnings } from './values/extraction-warning.ts';
