import { AppError, type ErrorDetail, type RecordSelector } from '@gleaner/contracts';
import QuickLRU from 'quick-lru';
import type { ConversionOptions } from '../convert/conversion.ts';
import { SelectorError } from '../css/selector.ts';
import { usesScope } from '../match/uses-scope.ts';
import { compileCost } from '../pattern/compile-pattern.ts';
import { type FieldTraits, findCombinationProblems } from './check-combinations.ts';
import { compileSteps, findStepProblems } from './compile-steps.ts';
import { findOptionProblems, readOptions } from './conversion-options.ts';
import { readFieldKeys } from './field-keys.ts';
import { type FieldSelector, parseFieldSelector } from './parse-field-selector.ts';
import type { ExtractionPlan, PlannedField, SelectorMap } from './plan.ts';
import { findNameError, planValue } from './plan-value.ts';
import { projectPlan } from './project-plan.ts';

const MAX_FIELDS = 100;
const MAX_SELECTOR_BYTES = 64 * 1024;

/** Largest size of all patterns together: compiling them takes about a tenth of a second at worst. */
const MAX_PATTERN_SIZE = 12_000;

/** Longest selectors, as JSON, whose plan is kept: longer ones are seldom sent twice. */
const MAX_CHARACTERS = 8192;

const recent = new QuickLRU<string, ExtractionPlan>({ maxSize: 100 });

/** State of compiling one map. */
interface Compilation {
  readonly errors: ErrorDetail[];
  fieldCount: number;
  byteCount: number;
  patternSize: number;
}

/** Position of a map of fields. */
interface Place {
  /** Path in errors: `selectors.cards.fields`. */
  readonly path: string;
  /** Path in data and warnings: `cards`. */
  readonly dataPath: string;
  readonly isAbsolute: boolean;
  /** Kind of the record that the fields belong to; null at the top. */
  readonly record: FieldTraits['record'];
  /** Options of the records around the fields. */
  readonly options: ConversionOptions;
}

/**
 * Validates the whole map (grammar in the README) and compiles it.
 * Throws one INVALID_SELECTOR whose `details` list every error by its path, such as `selectors.cards.fields.title`.
 */
export function compileSelectors(selectors: SelectorMap): ExtractionPlan {
  const compilation: Compilation = { errors: [], fieldCount: 0, byteCount: 0, patternSize: 0 };
  const fields = compileFields(
    selectors,
    { path: 'selectors', dataPath: '', isAbsolute: false, record: null, options: {} },
    compilation,
  );
  if (fields.length === 0 && compilation.fieldCount === 0 && compilation.errors.length === 0) {
    compilation.errors.push({
      path: 'selectors',
      message: 'Name at least one field, or leave out selectors to get title, description, text and links.',
    });
  }
  checkLimits(compilation);
  if (compilation.errors.length > 0) throw invalidSelectors(compilation.errors);
  return { fields, projection: projectPlan(fields), patternSize: compilation.patternSize };
}

/**
 * Does the same as `compileSelectors`, but keeps recent plans, since clients request many pages with the same selectors.
 */
export function planSelectors(selectors: SelectorMap): ExtractionPlan {
  const text = JSON.stringify(selectors);
  const known = recent.get(text);
  if (known) return known;
  const plan = compileSelectors(selectors);
  if (text.length <= MAX_CHARACTERS) recent.set(text, plan);
  return plan;
}

function compileFields(map: unknown, place: Place, compilation: Compilation): PlannedField[] {
  if (typeof map !== 'object' || map === null || Array.isArray(map)) {
    compilation.errors.push({
      path: place.path,
      message: 'It must be an object of field names and selectors.',
    });
    return [];
  }
  const fields: PlannedField[] = [];
  for (const [name, spec] of Object.entries(map)) {
    compilation.fieldCount++;
    compilation.byteCount += Buffer.byteLength(name);
    if (compilation.fieldCount > MAX_FIELDS) break;
    const field = compileField(name, spec, place, compilation);
    if (field) fields.push(field);
  }
  return fields;
}

function compileField(
  name: string,
  given: unknown,
  place: Place,
  compilation: Compilation,
): PlannedField | undefined {
  const path = `${place.path}.${name}`;
  const reject = (...messages: readonly string[]): undefined =>
    void compilation.errors.push(...messages.map((message) => ({ path, message })));
  const nameError = findNameError(name);
  if (nameError) reject(nameError);
  const { keys, problems } = readFieldKeys(given);
  if (problems) return reject(...problems);
  compilation.byteCount += bytesOf(keys);
  compilation.patternSize += compileCost(keys.pattern ?? '');
  if (compilation.byteCount > MAX_SELECTOR_BYTES || isOverPatterns(compilation)) return undefined;

  const fields = keys.fields && compileFields(keys.fields, placeInside({ name, keys }, place), compilation);
  if (fields && Object.keys(keys.fields ?? {}).length === 0) {
    reject('"fields" is empty: name at least one field of the record.');
  }
  try {
    const parsed = keys.selector === undefined ? WITHOUT_SELECTOR : parseFieldSelector(keys.selector);
    const traits = traitsOf(keys, parsed, place.record);
    const mistakes = [
      ...findCombinationProblems(traits),
      ...findStepProblems(keys),
      ...findOptionProblems(keys),
    ];
    if (mistakes.length > 0) return reject(...mistakes);
    const steps = compileSteps(traits, readOptions(keys, place.options));
    return {
      name,
      path: dataPathOf(name, place),
      selector: keys.selector ?? '',
      list: parsed.list,
      usesScope: usesScope(parsed.list),
      takesAll: traits.takesAll,
      value: planValue(parsed.value, { keys, fields, isAbsolute: keys.absolute || place.isAbsolute }),
      steps,
      hasRequired: keys.required === true || (fields ?? []).some(({ hasRequired }) => hasRequired),
    };
  } catch (error) {
    if (error instanceof SelectorError) return reject(error.message);
    throw error;
  }
}

/** Stands for the selector of a field that has only a JSONPath. */
const WITHOUT_SELECTOR: FieldSelector = { list: [], value: null, takesAll: false };

/** Returns the bytes of all texts of a field except those of its inner fields. */
function bytesOf({ fields, ...keys }: RecordSelector): number {
  const { default: fallback, ...rest } = keys;
  const texts = Object.values(rest).filter((value) => typeof value === 'string');
  if (fallback !== undefined) texts.push(JSON.stringify(fallback));
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

function isOverPatterns(compilation: Compilation): boolean {
  return compilation.patternSize > MAX_PATTERN_SIZE;
}

function dataPathOf(name: string, { dataPath }: Place): string {
  return dataPath === '' ? name : `${dataPath}.${name}`;
}

function placeInside({ name, keys }: { name: string; keys: RecordSelector }, place: Place): Place {
  return {
    path: `${place.path}.${name}.fields`,
    dataPath: dataPathOf(name, place),
    isAbsolute: keys.absolute || place.isAbsolute,
    record: keys.json === undefined ? 'element' : 'json',
    options: readOptions(keys, place.options),
  };
}

function traitsOf(keys: RecordSelector, parsed: FieldSelector, record: Place['record']): FieldTraits {
  return { keys, record, suffix: parsed.value?.kind ?? null, takesAll: parsed.takesAll || keys.all === true };
}

function checkLimits(compilation: Compilation): void {
  const { errors, fieldCount, byteCount } = compilation;
  if (fieldCount > MAX_FIELDS) {
    errors.push({
      path: 'selectors',
      message: `The selectors have more than ${MAX_FIELDS} fields, including nested ones.`,
    });
  }
  if (byteCount > MAX_SELECTOR_BYTES) {
    errors.push({
      path: 'selectors',
      message: `Names and selectors exceed ${MAX_SELECTOR_BYTES} bytes in total.`,
    });
  }
  if (isOverPatterns(compilation)) {
    errors.push({
      path: 'selectors',
      message:
        'The patterns are too large together: lower their repetition counts, such as {1,500}, or use fewer classes such as \\p{L}.',
    });
  }
}

/** Returns the error of selectors that are not valid. */
export function invalidSelectors(details: readonly ErrorDetail[]): AppError {
  const [first] = details;
  const count = details.length === 1 ? 'A selector is' : `${details.length} selectors are`;
  return new AppError('INVALID_SELECTOR', {
    message: `${count} not valid: ${first?.path}: ${first?.message}`,
    details,
  });
}
