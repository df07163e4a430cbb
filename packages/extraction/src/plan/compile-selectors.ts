import { AppError, type ErrorDetail } from '@gleaner/contracts';
import { SelectorError } from '../css/selector.ts';
import { usesScope } from '../match/uses-scope.ts';
import { parseFieldSelector } from './parse-field-selector.ts';
import type { ExtractionPlan, FieldValue, PlannedField, SelectorMap } from './plan.ts';
import { findNameError, readSpec } from './read-field.ts';

const MAX_FIELDS = 100;
const MAX_SELECTOR_BYTES = 64 * 1024;

const MAX_PLANS = 100;
/** Longest selectors, as JSON, whose plan is kept: longer ones are seldom sent twice. */
const MAX_CHARACTERS = 8192;

const recent = new Map<string, ExtractionPlan>();

/** State of compiling one map. */
interface Compilation {
  readonly errors: ErrorDetail[];
  fieldCount: number;
  byteCount: number;
}

/** Position of a map of fields. */
interface Place {
  /** Path in errors: `selectors.cards.fields`. */
  readonly path: string;
  /** Path in data and warnings: `cards`. */
  readonly dataPath: string;
  readonly isAbsolute: boolean;
}

/**
 * Validates the whole map (grammar in the README) and compiles it.
 * Throws one INVALID_SELECTOR whose `details` list every error by its path, such as `selectors.cards.fields.title`.
 */
export function compileSelectors(selectors: SelectorMap): ExtractionPlan {
  const compilation: Compilation = { errors: [], fieldCount: 0, byteCount: 0 };
  const fields = compileFields(
    selectors,
    { path: 'selectors', dataPath: '', isAbsolute: false },
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
  return { fields };
}

/**
 * Does the same as `compileSelectors`, but keeps recent plans, since clients request many pages with the same selectors.
 */
export function planSelectors(selectors: SelectorMap): ExtractionPlan {
  const text = JSON.stringify(selectors);
  const known = recent.get(text);
  if (known) return known;
  const plan = compileSelectors(selectors);
  if (text.length > MAX_CHARACTERS) return plan;
  if (recent.size >= MAX_PLANS) recent.clear();
  recent.set(text, plan);
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
  const reject = (message: string): undefined => void compilation.errors.push({ path, message });
  const nameError = findNameError(name);
  if (nameError) reject(nameError);
  const spec = readSpec(given);
  if (typeof spec === 'string') return reject(spec);
  compilation.byteCount += Buffer.byteLength(spec.selector);
  if (compilation.byteCount > MAX_SELECTOR_BYTES) return undefined;

  const dataPath = place.dataPath === '' ? name : `${place.dataPath}.${name}`;
  const isAbsolute = spec.absolute || place.isAbsolute;
  const fields =
    spec.fields && compileFields(spec.fields, { path: `${path}.fields`, dataPath, isAbsolute }, compilation);
  if (fields && fields.length === 0 && Object.keys(spec.fields ?? {}).length === 0) {
    reject('"fields" is empty: name at least one field of the record.');
  }
  try {
    const parsed = parseFieldSelector(spec.selector);
    const value = planValue(parsed.value, { fields, absolute: spec.absolute, isAbsolute });
    return {
      name,
      path: dataPath,
      selector: spec.selector,
      list: parsed.list,
      usesScope: usesScope(parsed.list),
      takesAll: parsed.takesAll || spec.all,
      value,
    };
  } catch (error) {
    if (error instanceof SelectorError) return reject(error.message);
    throw error;
  }
}

function planValue(
  value: ReturnType<typeof parseFieldSelector>['value'],
  options: { fields: PlannedField[] | undefined; absolute: boolean; isAbsolute: boolean },
): FieldValue {
  if (options.fields) {
    if (value)
      throw new SelectorError(
        `"fields" makes records: leave out ::${value.kind === 'attribute' ? 'attr' : value.kind}.`,
      );
    return { kind: 'record', fields: options.fields };
  }
  if (value?.kind === 'attribute') {
    if (options.absolute && !isUrlAttribute(value.name)) {
      throw new SelectorError(
        `"absolute" resolves URLs, such as ::attr(href) and ::attr(src); ::attr(${value.name}) does not hold a URL.`,
      );
    }
    return { ...value, isAbsolute: options.isAbsolute && isUrlAttribute(value.name) };
  }
  if (options.absolute) throw new SelectorError('"absolute" resolves URLs: add ::attr(href) or ::attr(src).');
  return value ?? { kind: 'text' };
}

function checkLimits({ errors, fieldCount, byteCount }: Compilation): void {
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
}

function invalidSelectors(details: readonly ErrorDetail[]): AppError {
  const [first] = details;
  const count = details.length === 1 ? 'A selector is' : `${details.length} selectors are`;
  return new AppError('INVALID_SELECTOR', {
    message: `${count} not valid: ${first?.path}: ${first?.message}`,
    details,
  });
}

/** Attributes that hold a single URL, including those that lazy-loading scripts use. */
const URL_ATTRIBUTES = new Set(
  `href src action formaction poster cite data background longdesc manifest usemap codebase classid profile icon
  xlink:href content url`.split(/\s+/),
);

/** Returns true if `absolute` can resolve the attribute: it holds one URL by definition, or is `data-…`. */
function isUrlAttribute(name: string): boolean {
  const folded = name.toLowerCase();
  return URL_ATTRIBUTES.has(folded) || folded.startsWith('data-');
}
