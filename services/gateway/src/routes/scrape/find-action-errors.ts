import { type Action, type ErrorDetail, LIMITS, stepsOf } from '@gleaner/contracts';
import { findSelectorError } from '@gleaner/extraction';

/** Most bytes of all steps as JSON: every page of a job brings them. */
const MAX_BYTES = 64 * 1024;

/** Finds lists with too many steps, counting the steps in loops. */
export function findActionErrors(actions: readonly Action[] = [], path = 'actions'): ErrorDetail[] {
  const steps = stepsOf(actions, path);
  if (steps.length > LIMITS.maxActions) {
    const message = `must have at most ${LIMITS.maxActions} steps, those in repeat counted; it has ${steps.length}`;
    return [{ path, message }];
  }
  if (JSON.stringify(actions).length > MAX_BYTES) {
    return [{ path, message: `must have at most ${MAX_BYTES} bytes` }];
  }
  return steps.flatMap(({ step, path: at }) =>
    'scroll' in step && step.in !== undefined && step.scroll !== 'end'
      ? [{ path: `${at}.in`, message: 'is for "scroll": "end" only; leave it out' }]
      : [],
  );
}

/** Finds selectors of steps that are not CSS selectors. */
export function findActionSelectorErrors(actions: readonly Action[] = [], path = 'actions'): ErrorDetail[] {
  return stepsOf(actions, path).flatMap(({ step, path: at }) =>
    selectorsOf(step).flatMap(([name, selector]) => {
      const message = findSelectorError(selector);
      return message === undefined ? [] : [{ path: `${at}.${name}`, message }];
    }),
  );
}

/** Returns the selectors of a step by the names of their fields. */
function selectorsOf(step: Action): readonly (readonly [name: string, selector: string])[] {
  const {
    press: _press,
    value: _value,
    repeat: _repeat,
    ...fields
  } = step as Readonly<Record<string, unknown>>;
  return Object.entries(fields).flatMap(([name, value]): (readonly [string, string])[] => {
    if (Array.isArray(value)) return value.map((each, index) => [`${name}.${index}`, each]);
    return typeof value === 'string' && !(name === 'scroll' && value === 'end') ? [[name, value]] : [];
  });
}
