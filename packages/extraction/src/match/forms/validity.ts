import { attributeOf, isHtmlElement, type Node } from '../../dom/node.ts';
import { nearest } from '../inherit.ts';
import type { ElementSet, MatchRun } from '../run.ts';
import { has, inputType, isRequired, isSubmitter, radioGroupOf } from './form-control.ts';
import { formOwners } from './form-owner.ts';
import { disabled } from './form-states.ts';
import { NUMBER_SCALES } from './input-number.ts';
import { isMistyped, isTextType, patternedValues, textValueOf } from './input-text.ts';
import { matchPatterns, type PatternCheck } from './match-patterns.ts';
import { lacksChoice, optionsBySelect } from './select-options.ts';
import { isBetweenSteps, isWithin, type StepRange, slideTo, stepRangeOf } from './step-range.ts';

/**
 * What constraint validation says of controls that nobody has touched, HTML §4.10.20. The lengths that a value may have
 * count only for what a user has typed.
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

/** Forms and fieldsets are as valid as what belongs to them. */
function statesOf(run: MatchRun): ValidityStates {
  const { document } = run;
  const candidate = candidates(run);
  const invalid = faulty(run).map((isFaulty, order) => isFaulty & (candidate[order] as number));
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

/** What is validated at all. HTML §4.10.20.1. */
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

/** The controls that fail a constraint, candidates or not. */
function faulty(run: MatchRun): ElementSet {
  const { document, budget } = run;
  const faults = new Uint8Array(document.elements.length);
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
      faults[order] = Number((isNeeded && value === '') || isMistyped(element, type, value));
      const pattern = attributeOf(element, 'pattern');
      if (pattern === undefined || value === '' || faults[order]) continue;
      checks.push({ order, pattern, values: patternedValues(element, type, value) });
    } else if (type === 'radio') {
      faults[order] = Number(lacksRadio(element));
    } else if (type === 'checkbox') {
      faults[order] = Number(isNeeded && !has(element, 'checked'));
    } else if (type === 'file') {
      faults[order] = Number(isNeeded);
    } else if (type !== '') {
      faults[order] = Number(isMisnumbered(element, type, isNeeded));
    } else if (isNeeded && isHtmlElement(element, 'select')) {
      faults[order] = Number(lacksChoice(element, options.get(order) ?? [], document));
    } else if (isNeeded) {
      faults[order] = Number((element.first?.value ?? '') === '');
    }
  }
  const results = matchPatterns(checks);
  for (const [index, { order }] of checks.entries()) faults[order] = Number(!results[index]);
  return faults;
}

/** Whether a radio button is one of a group that needs a choice and has none. */
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
  /** NaN where the control shows none. */
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

/** The candidates with a number that passes; of those without one, all or none. */
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
