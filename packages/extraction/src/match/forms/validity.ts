import { attributeOf, isHtmlElement, type Node } from '../../dom/node.ts';
import type { ElementSet, MatchRun } from '../run.ts';
import {
  formOwners,
  has,
  inputType,
  isRequired,
  isSubmitter,
  lacksChoice,
  nearest,
  optionsBySelect,
  radioGroupOf,
} from './form-control.ts';
import { disabled } from './form-states.ts';
import { NUMBER_SCALES, type NumberScale, parseNumber } from './input-number.ts';
import {
  isMistyped,
  isTextType,
  matchPatterns,
  type PatternCheck,
  patternedValues,
  textValueOf,
} from './input-text.ts';

/**
 * States of constraint validation of controls that no user has edited, HTML §4.10.20. Limits on the length of a value
 * apply only to text typed by a user.
 */
export const VALIDITY_STATES: ReadonlyMap<string, (run: MatchRun) => ElementSet> = new Map([
  ['valid', (run) => statesOf(run).valid],
  ['invalid', (run) => statesOf(run).invalid],
  ['in-range', (run) => ranged(run, (value, range) => range.isLimited && isWithin(value, range), true)],
  ['out-of-range', (run) => ranged(run, (value, range) => !isWithin(value, range), false)],
]);

interface ValidityStates {
  readonly valid: ElementSet;
  readonly invalid: ElementSet;
}

/** Computes `:valid` and `:invalid`; forms and fieldsets are invalid if one of their controls is. */
function statesOf(run: MatchRun): ValidityStates {
  const { document } = run;
  const candidate = candidates(run);
  const invalid = failing(run).map((isFailing, order) => isFailing & (candidate[order] as number));
  const owners = formOwners(document);
  const fieldsets = nearest(document, isFieldset);
  for (const { order } of document.elements) {
    if (candidate[order] !== 1 || invalid[order] !== 1) continue;
    if ((owners[order] as number) >= 0) invalid[owners[order] as number] = 1;
    for (let outer = fieldsets[order] as number; outer >= 0 && !invalid[outer]; ) {
      invalid[outer] = 1;
      outer = fieldsets[outer] as number;
    }
  }
  const valid = Uint8Array.from(document.elements, (element, order) =>
    Number(
      !invalid[order] && (candidate[order] === 1 || isFieldset(element) || isHtmlElement(element, 'form')),
    ),
  );
  return { valid, invalid };
}

function isFieldset(element: Node): boolean {
  return isHtmlElement(element, 'fieldset');
}

/** Returns the candidates for constraint validation. HTML §4.10.20.1. */
function candidates(run: MatchRun): ElementSet {
  const off = disabled(run);
  const lists = nearest(run.document, (element) => isHtmlElement(element, 'datalist'));
  return Uint8Array.from(run.document.elements, (element, order) =>
    Number(!off[order] && lists[order] === -1 && canBeValidated(element)),
  );
}

const NEVER_VALIDATED = new Set(['hidden', 'reset', 'button', 'image']);

function canBeValidated(element: Node): boolean {
  const type = inputType(element);
  if (type !== '') return !NEVER_VALIDATED.has(type) && !has(element, 'readonly');
  if (isHtmlElement(element, 'textarea')) return !has(element, 'readonly');
  return isHtmlElement(element, 'select') || isSubmitter(element);
}

/** Cost of matching the patterns of a page, which the event loop cannot afford. */
const STEPS_OF_PATTERNS = 1_500_000;

/** Returns the controls that fail a constraint, whether or not they are candidates. */
function failing(run: MatchRun): ElementSet {
  const { document, budget } = run;
  const failed = new Uint8Array(document.elements.length);
  const lacksRadio = findLackingRadios(run);
  const options = optionsBySelect(document);
  const checks: (PatternCheck & { readonly order: number })[] = [];
  for (const element of document.elements) {
    const { order } = element;
    const type = inputType(element);
    const isNeeded = isRequired(element);
    if (isTextType(type)) {
      budget.spendReading(attributeOf(element, 'value')?.length ?? 0);
      const value = textValueOf(element, type);
      failed[order] = Number((isNeeded && value === '') || isMistyped(element, type, value));
      const pattern = attributeOf(element, 'pattern');
      if (pattern === undefined || value === '' || failed[order]) continue;
      checks.push({ order, pattern, values: patternedValues(element, type, value) });
    } else if (type === 'radio') {
      failed[order] = Number(lacksRadio(element));
    } else if (type === 'checkbox') {
      failed[order] = Number(isNeeded && !has(element, 'checked'));
    } else if (type === 'file') {
      failed[order] = Number(isNeeded);
    } else if (type !== '') {
      failed[order] = Number(isMisnumbered(element, type, isNeeded));
    } else if (isNeeded && isHtmlElement(element, 'select')) {
      failed[order] = Number(lacksChoice(element, options.get(order) ?? [], document));
    } else if (isNeeded) {
      failed[order] = Number((element.first?.value ?? '') === '');
    }
  }
  // They may take until their time limit, so never on the event loop.
  if (checks.length > 0) budget.spend(STEPS_OF_PATTERNS);
  const results = matchPatterns(checks);
  for (const [index, { order }] of checks.entries()) failed[order] = Number(!results[index]);
  return failed;
}

/** Returns a test for radio buttons of a group that requires a choice and has none. */
function findLackingRadios({ document }: MatchRun): (radio: Node) => boolean {
  const owners = formOwners(document);
  const radios = document.elements.filter((element) => inputType(element) === 'radio');
  const groupsWith = (attribute: string) =>
    new Set(radios.filter((radio) => has(radio, attribute)).map((radio) => radioGroupOf(radio, owners)));
  const [needed, decided] = [groupsWith('required'), groupsWith('checked')];
  return (radio) => {
    const group = radioGroupOf(radio, owners);
    return group !== undefined && needed.has(group) && !decided.has(group);
  };
}

function isMisnumbered(input: Node, type: string, isNeeded: boolean): boolean {
  const numbered = readNumber(input, type);
  if (!numbered) return false;
  const { value, range } = numbered;
  if (Number.isNaN(value)) return isNeeded;
  return !isWithin(value, range) || isBetweenSteps(value, range);
}

interface NumberInRange {
  /** NaN if the control shows no number. */
  readonly value: number;
  readonly range: StepRange;
}

function readNumber(input: Node, type: string): NumberInRange | undefined {
  const scale = NUMBER_SCALES.get(type);
  if (!scale) return undefined;
  const range = stepRangeOf(input, type, scale);
  const declared = scale.parse(attributeOf(input, 'value') ?? '');
  if (type !== 'range') return { value: declared, range };
  const middle = range.min + (range.max - range.min) / 2;
  return { value: slideTo(Number.isNaN(declared) ? middle : declared, range), range };
}

/** Returns the candidates with an accepted number, and the ones without a number if `acceptsNone`. */
function ranged(
  run: MatchRun,
  accepts: (value: number, range: StepRange) => boolean,
  acceptsNone: boolean,
): ElementSet {
  const candidate = candidates(run);
  return Uint8Array.from(run.document.elements, (element, order) => {
    const numbered = candidate[order] ? readNumber(element, inputType(element)) : undefined;
    if (!numbered) return 0;
    const { value, range } = numbered;
    return Number(Number.isNaN(value) ? acceptsNone : accepts(value, range));
  });
}

/** Range and steps of the value of an input. HTML §4.10.5.3.7. */
interface StepRange {
  readonly min: number;
  readonly max: number;
  /** True if `min` or `max` applies; without limits a value is neither in range nor out of range. */
  readonly isLimited: boolean;
  /** True for a range of time over midnight, such as 22:00 to 02:00. */
  readonly isReversed: boolean;
  /** NaN if every value is allowed. */
  readonly step: number;
  readonly base: number;
  /** Allowed distance from a step, for the rounding errors of binary fractions. */
  readonly tolerance: number;
}

function stepRangeOf(input: Node, type: string, scale: NumberScale): StepRange {
  const parsed = (name: string): number => scale.parse(attributeOf(input, name) ?? '');
  const [min, max, value] = [parsed('min'), parsed('max'), parsed('value')];
  const step = stepOf(attributeOf(input, 'step'), scale);
  const shared = {
    step,
    base: [min, value].find(Number.isFinite) ?? scale.defaultBase,
    tolerance: scale.wholeStep > 0 ? 0 : step / 2 ** 24,
  };
  if (type === 'range') {
    const lowest = Number.isNaN(min) ? 0 : min;
    const highest = Math.max(lowest, Number.isNaN(max) ? 100 : max);
    return { ...shared, min: lowest, max: highest, isLimited: true, isReversed: false };
  }
  return {
    ...shared,
    min: Number.isNaN(min) ? Number.NEGATIVE_INFINITY : min,
    max: Number.isNaN(max) ? Number.POSITIVE_INFINITY : max,
    isLimited: !(Number.isNaN(min) && Number.isNaN(max)),
    isReversed: type === 'time' && max < min,
  };
}

function stepOf(attribute: string | undefined, { unit, defaultStep, wholeStep }: NumberScale): number {
  if (attribute?.toLowerCase() === 'any') return Number.NaN;
  const declared = parseNumber(attribute ?? '');
  const steps = declared > 0 ? declared : defaultStep;
  return wholeStep > 0 ? Math.max(1, Math.round((steps * unit) / wholeStep)) * wholeStep : steps * unit;
}

function isWithin(value: number, { min, max, isReversed }: StepRange): boolean {
  return isReversed ? value >= min || value <= max : value >= min && value <= max;
}

function isBetweenSteps(value: number, { step, base, tolerance }: StepRange): boolean {
  const distance = Math.abs(value - base);
  // Beyond this, numbers are too imprecise to tell.
  if (Number.isNaN(step) || !Number.isFinite(distance) || distance / 2 ** 53 > step) return false;
  const remainder = Math.abs(distance - step * Math.round(distance / step));
  return tolerance < remainder && remainder < step - tolerance;
}

/** Returns the value that a slider shows for a given one: within its limits and, if possible, on a step. */
function slideTo(value: number, range: StepRange): number {
  const { min, max, step, base } = range;
  const near = Math.max(min, Math.min(value, max));
  if (Number.isNaN(step)) return near;
  const rounded = base + Math.round((near - base) / step) * step;
  const stepped = rounded > max ? rounded - step : rounded < min ? rounded + step : rounded;
  return stepped < min || stepped > max ? near : stepped;
}
