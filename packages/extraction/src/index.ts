/** Replaces the character references of HTML in a text. */
export { decodeHTML as decodeReferences } from 'entities/decode';
export { Budget } from './budget.ts';
export { foldCase } from './css/code-points.ts';
export { attributeOf, type Node, NodeKind } from './dom/node.ts';
export type { PageFacts } from './dom/page-facts.ts';
export { type DocumentKind, type ParsedDocument, parseDocument } from './dom/parse-document.ts';
export type { Projection } from './dom/parse-projection.ts';
export { type AnswerToCheck, type CheckedAnswer, checkAnswer } from './evidence/check-answer.ts';
export { type PageForModel, readForModel } from './evidence/page-evidence.ts';
export { answerSchemaOf, compileShape, type Shape } from './evidence/shape.ts';
export { extract, extractDefaults, extractWithMatches } from './extract.ts';
export { createFinder } from './fields/find-matches.ts';
export { documentWarnings } from './fields/warnings.ts';
export { extractFormats } from './formats/extract-formats.ts';
export { type FormatToPlan, type PlannedFormat, planFormats } from './formats/plan-formats.ts';
export { lowerBound } from './match/find-elements.ts';
export { estimateSize as estimatePatternSize } from './pattern/estimate-size.ts';
export { readPdf } from './pdf/read-pdf.ts';
export { compileSelectors, planSelectors } from './plan/compile-selectors.ts';
export { findSelectorError, splitFieldSelector } from './plan/parse-field-selector.ts';
export type { ExtractionPlan, PlannedField, SelectorMap } from './plan/plan.ts';
export { FairQueue } from './pool/fair-queue.ts';
export { serveTasks } from './pool/serve-tasks.ts';
export { ThreadPool, type ThreadPoolOptions } from './pool/thread-pool.ts';
export { attributeValue } from './read/attribute-value.ts';
export { findHiddenText, type HiddenMark, SHOWN_BY_SCRIPTS, takeHiddenMarks } from './read/hidden-text.ts';
export { readPageFacts } from './read/page-facts.ts';
export { textOf } from './read/text-of.ts';
export {
  hashOf,
  type OutlinkPlan,
  planOutlinks,
  readOutlinks,
  readPageIdentity,
} from './read-outlinks.ts';
export { renderView } from './render-view.ts';
