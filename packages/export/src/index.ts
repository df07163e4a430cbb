export {
  allColumnsOf,
  type ExportedOptions,
  rowFieldsOf,
  type TableChoice,
} from './columns/crawl-columns.ts';
export { type ListField, memberOf } from './columns/field-columns.ts';
export type { TablePlan } from './columns/rows.ts';
export { KindFinder, type ValueColumn } from './columns/value-columns.ts';
export { renderCsv } from './csv/render-csv.ts';
export { JSON_TYPE, joinAsJson, joinAsLines, NDJSON_TYPE } from './join-texts.ts';
export type { PartOutput } from './part-writer.ts';
export {
  describeColumns,
  type PartSettings,
  renderParquet,
  renderValuesAsParquet,
  writeParts,
} from './parts/write-parts.ts';
