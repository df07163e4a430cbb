import { AppError, type ErrorDetail } from '@gleaner/contracts';
import { SelectorError } from '../css/selector-error.ts';
import { usesScope } from '../match/uses-scope.ts';
import { faultOfName } from './field-name.ts';
import { parseFieldSelector } from './parse-field-selector.ts';
import type { ExtractionPlan, FieldValue, PlannedField, SelectorMap } from './plan.ts';
import { readSpec } from './read-spec.ts';
import { isUrlAttribute } from './url-attributes.ts';

const MAX_FIELDS = 100;
const MAX_SELECTOR_BYTES = 64 * 1024;

/** What compiling gathers on its way through the map. */
interface Compilation {
  readonly faults: ErrorDetail[];
  fieldCount: number;
  byteCount: number;
}

/** Where a map of fields stands. */
interface Place {
  /** As errors name it: `selectors.cards.fields`. */
  readonly path: string;
  /** As data and warnings name it: `cards`. */
  readonly dataPath: string;
  readonly isAbsolute: boolean;
}

/**
 * Checks the whole map (grammar of the README) and makes it ready to run.
 * Throws one INVALID_SELECTOR whose `details` name every fault: `selectors.cards.fields.title`.
 */
export function compileSelectors(selectors: SelectorMap): ExtractionPlan {
  const compilation: Compilation = { faults: [], fieldCount: 0, byteCount: 0 };
  const fields = compileFields(
    selectors,
    { path: 'selectors', dataPath: '', isAbsolute: false },
    compilation,
  );
  checkLimits(compilation);
  if (compilation.faults.length > 0) throw invalidSelectors(compilation.faults);
  return { fields };
}

function compileFields(map: unknown, place: Place, compilation: Compilation): PlannedField[] {
  if (typeof map !== 'object' || map === null || Array.isArray(map)) {
    compilation.faults.push({
      path: place.path,
      message: 'It has to be an object of field names and selectors.',
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
  const refuse = (message: string): undefined => void compilation.faults.push({ path, message });
  const faultyName = faultOfName(name);
  if (faultyName) refuse(faultyName);
  const spec = readSpec(given);
  if (typeof spec === 'string') return refuse(spec);
  compilation.byteCount += Buffer.byteLength(spec.selector);
  if (compilation.byteCount > MAX_SELECTOR_BYTES) return undefined;

  const dataPath = place.dataPath === '' ? name : `${place.dataPath}.${name}`;
  const isAbsolute = spec.absolute || place.isAbsolute;
  const fields =
    spec.fields && compileFields(spec.fields, { path: `${path}.fields`, dataPath, isAbsolute }, compilation);
  if (fields && fields.length === 0 && Object.keys(spec.fields ?? {}).length === 0) {
    refuse('fields is empty: name at least one field of the record.');
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
    if (error instanceof SelectorError) return refuse(error.message);
    throw error;
  }
}

function planValue(
  value: ReturnType<typeof parseFieldSelector>['value'],
  wish: { fields: PlannedField[] | undefined; absolute: boolean; isAbsolute: boolean },
): FieldValue {
  if (wish.fields) {
    if (value)
      throw new SelectorError(
        `fields makes records: leave ::${value.kind === 'attribute' ? 'attr' : value.kind} out.`,
      );
    return { kind: 'record', fields: wish.fields };
  }
  if (value?.kind === 'attribute') {
    if (wish.absolute && !isUrlAttribute(value.name)) {
      throw new SelectorError(
        `absolute resolves URLs, such as ::attr(href) and ::attr(src); ::attr(${value.name}) holds none.`,
      );
    }
    return { ...value, isAbsolute: wish.isAbsolute && isUrlAttribute(value.name) };
  }
  if (wish.absolute) throw new SelectorError('absolute resolves URLs: add ::attr(href) or ::attr(src).');
  return value ?? { kind: 'text' };
}

function checkLimits({ faults, fieldCount, byteCount }: Compilation): void {
  if (fieldCount > MAX_FIELDS) {
    faults.push({
      path: 'selectors',
      message: `There are more than ${MAX_FIELDS} fields, nested ones included.`,
    });
  }
  if (byteCount > MAX_SELECTOR_BYTES) {
    faults.push({
      path: 'selectors',
      message: `Names and selectors are over ${MAX_SELECTOR_BYTES} bytes in all.`,
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
