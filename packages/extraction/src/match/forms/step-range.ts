import { attributeOf, type Node } from '../../dom/node.ts';
import { type NumberScale, parseNumber } from './input-number.ts';

/** Range and steps of the value of an input. HTML §4.10.5.3.7. */
export interface StepRange {
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

/** Reads the range from the attributes of an input of the type. */
export function stepRangeOf(input: Node, type: string, scale: NumberScale): StepRange {
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

/** Returns true if the value is within the limits, or there are none. */
export function isWithin(value: number, { min, max, isReversed }: StepRange): boolean {
  return isReversed ? value >= min || value <= max : value >= min && value <= max;
}

/** Returns true if the value is not on a step. */
export function isBetweenSteps(value: number, { step, base, tolerance }: StepRange): boolean {
  const distance = Math.abs(value - base);
  // Beyond this, numbers are too imprecise to tell.
  if (Number.isNaN(step) || !Number.isFinite(distance) || distance / 2 ** 53 > step) return false;
  const remainder = Math.abs(distance - step * Math.round(distance / step));
  return tolerance < remainder && remainder < step - tolerance;
}

/** Returns the value that a slider shows for a given one: within its limits and, if possible, on a step. */
export function slideTo(value: number, range: StepRange): number {
  const { min, max, step, base } = range;
  const near = Math.max(min, Math.min(value, max));
  if (Number.isNaN(step)) return near;
  const rounded = base + Math.round((near - base) / step) * step;
  const stepped = rounded > max ? rounded - step : rounded < min ? rounded + step : rounded;
  return stepped < min || stepped > max ? near : stepped;
}
