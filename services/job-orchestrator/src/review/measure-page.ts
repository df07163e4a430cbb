import type { ExtractedData, ExtractedValue, Warning } from '@gleaner/contracts';
import type { WatchedField } from './watched-fields.ts';

/** Values of a field over the pages of a run. */
export interface FieldStats {
  /** Pages that were asked for it, or records around it. */
  readonly asked: number;
  /** Places in which it has a value. */
  readonly filled: number;
  /** Values and records; of one value, as many as are filled. */
  readonly values: number;
  /** Values that could not be converted. */
  readonly unconverted: number;
  /** Numbers of texts by their shape. */
  readonly shapes: Readonly<Partial<Record<Shape, number>>>;
}

/** Shapes of texts, as coarse as the same field keeps it when a page is edited. */
export type Shape = 'price' | 'number' | 'code' | 'date' | 'address' | 'markup' | 'text';

/** Values of fields while pages are measured. */
export type Measuring = Map<
  string,
  { -readonly [Name in keyof FieldStats]: FieldStats[Name] } & { shapes: Partial<Record<Shape, number>> }
>;

/** Result of a page, as far as it is measured. */
export interface MeasuredPage {
  readonly data?: ExtractedData | null;
  readonly warnings?: readonly Pick<Warning, 'field' | 'code' | 'message'>[];
}

/** Adds the values of a page to what was measured; returns the paths of the fields that have a value. */
export function measurePage(
  fields: readonly WatchedField[],
  { data, warnings = [] }: MeasuredPage,
  measuring: Measuring,
): ReadonlySet<string> {
  const filled = new Set<string>();
  const nulls = new Map<WatchedField, number>();
  if (data) measureRecord(fields, data, { measuring, filled, nulls });
  for (const [field, count] of nulls) {
    const unconverted = Math.min(count, countUnconverted(field, warnings));
    if (unconverted > 0) statsOf(field.path, measuring).unconverted += unconverted;
  }
  return filled;
}

/** Adds a page that failed because it lacks required fields, named by their paths in the request: each was asked for, and has no value. */
export function measureMissing(
  fields: readonly WatchedField[],
  missing: ReadonlySet<string>,
  measuring: Measuring,
  around = 'selectors',
): void {
  for (const field of fields) {
    const path = `${around}.${field.name}`;
    if (missing.has(path)) statsOf(field.path, measuring).asked += 1;
    if (!field.isMany) measureMissing(field.fields, missing, measuring, `${path}.fields`);
  }
}

interface Target {
  readonly measuring: Measuring;
  readonly filled: Set<string>;
  /** Fields with conversions, and how often they had no value. */
  readonly nulls: Map<WatchedField, number>;
}

function measureRecord(fields: readonly WatchedField[], record: ExtractedData, target: Target): void {
  for (const field of fields) {
    const value = Object.hasOwn(record, field.name) ? record[field.name] : undefined;
    if (value === undefined) continue;
    const stats = statsOf(field.path, target.measuring);
    const values = valuesOf(value, field);
    stats.asked += 1;
    if (values.length > 0) stats.filled += 1;
    if (values.length > 0) target.filled.add(field.path);
    stats.values += typeof value === 'number' && field.isMany ? value : values.length;
    if (field.isConverted) noteNulls(value, field, target);
    for (const each of values) {
      if (field.fields.length > 0 && isRecord(each)) measureRecord(field.fields, each, target);
      if (typeof each === 'string' && !field.isConverted) {
        const shape = shapeOf(each);
        stats.shapes[shape] = (stats.shapes[shape] ?? 0) + 1;
      }
    }
  }
}

function statsOf(path: string, measuring: Measuring) {
  const stats = measuring.get(path) ?? { asked: 0, filled: 0, values: 0, unconverted: 0, shapes: {} };
  measuring.set(path, stats);
  return stats;
}

/** Returns the values of a field; the value of `default` and an empty text do not count. */
function valuesOf(value: ExtractedValue, { isMany, fallback }: WatchedField): readonly ExtractedValue[] {
  if (value === null || value === '') return [];
  if (fallback !== undefined && JSON.stringify(value) === JSON.stringify(fallback)) return [];
  if (isMany && value === 0) return [];
  if (Array.isArray(value)) return value.filter((each) => each !== null && each !== '');
  return [value];
}

function noteNulls(value: ExtractedValue, field: WatchedField, { nulls }: Target): void {
  const isFallback = field.fallback !== undefined && JSON.stringify(value) === JSON.stringify(field.fallback);
  const count = Array.isArray(value)
    ? value.filter((each) => each === null).length
    : Number(value === null || isFallback);
  if (count > 0) nulls.set(field, (nulls.get(field) ?? 0) + count);
}

const UNCONVERTED = new Set<Warning['code']>(['VALUE_NOT_CONVERTED', 'PATTERN_NO_MATCH', 'NOT_JSON']);
/** Last warning of many: how many more there are. */
const MORE = /^… and (\d+) more\.$/;

function countUnconverted(
  { dataPath }: WatchedField,
  warnings: NonNullable<MeasuredPage['warnings']>,
): number {
  return warnings.reduce((sum, { field, code, message }) => {
    if (field !== dataPath || !UNCONVERTED.has(code)) return sum;
    return sum + Number(MORE.exec(message)?.[1] ?? 1);
  }, 0);
}

const MAX_NUMBER_CHARACTERS = 40;
/** Letters beside a number, such as a currency or a unit. */
const MAX_LETTERS = 3;
const DATE = /\b(?:\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4})\b/;
const ADDRESS = /^(?:https?:\/\/|\/|\.{1,2}\/|mailto:|tel:)\S*$/i;
/** Returns the shape of a text. */
export function shapeOf(text: string): Shape {
  if (text.startsWith('<')) return 'markup';
  if (ADDRESS.test(text)) return 'address';
  if (text.length > MAX_NUMBER_CHARACTERS) return 'text';
  if (DATE.test(text)) return 'date';
  if (!/\p{N}/u.test(text)) return 'text';
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters <= MAX_LETTERS && /\p{Sc}/u.test(text)) return 'price';
  if (letters > 0 && !/\s/.test(text)) return 'code';
  return letters <= MAX_LETTERS ? 'number' : 'text';
}

function isRecord(value: ExtractedValue): value is ExtractedData {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
