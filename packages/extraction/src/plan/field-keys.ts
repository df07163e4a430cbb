import { FIELD_TYPES, type FieldType, nearestName, type RecordSelector } from '@gleaner/contracts';

/** Result of reading the object form: its keys, or a sentence about each one that is invalid. */
export type FieldKeys =
  | { readonly keys: RecordSelector; readonly problems?: never }
  | { readonly keys?: never; readonly problems: readonly string[] };

/** Returns the keys of a field's selector, all of the right type; a string is the key `selector`. */
export function readFieldKeys(given: unknown): FieldKeys {
  if (typeof given === 'string') return { keys: { selector: given } };
  if (!isObject(given)) {
    return {
      problems: [
        'It must be a selector string, or an object such as {"selector": ".card", "all": true, "fields": {…}}.',
      ],
    };
  }
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  const problems = entries.flatMap(([key, value]) => findKeyProblem(key, value) ?? []);
  return problems.length > 0 ? { problems } : { keys: Object.fromEntries(entries) };
}

type Check = (value: unknown) => string | undefined;

const isText: Check = (value) => (typeof value === 'string' ? undefined : 'must be a string.');
const isFilledText: Check = (value) =>
  typeof value === 'string' && value !== '' ? undefined : 'must be a string that is not empty.';
const isBoolean: Check = (value) => (typeof value === 'boolean' ? undefined : 'must be a boolean.');

/** Checks of the keys, in the order in which messages list them. */
const CHECKS: ReadonlyMap<string, Check> = new Map<keyof RecordSelector, Check>([
  ['selector', isText],
  ['all', isBoolean],
  ['absolute', isBoolean],
  ['fields', (value) => (isObject(value) ? undefined : 'must be an object.')],
  [
    'whitespace',
    (value) => (value === 'collapse' || value === 'keep' ? undefined : 'must be "collapse" or "keep".'),
  ],
  ['exclude', isFilledText],
  ['json', isFilledText],
  ['from', isFilledText],
  ['pattern', isFilledText],
  ['type', findTypeProblem],
  ['default', findDefaultProblem],
  ['required', isBoolean],
  ['locale', isFilledText],
  ['currency', isFilledText],
  ['format', isFilledText],
  ['timezone', isFilledText],
  ['key', isFilledText],
  ['expect', findExpectProblem],
]);

function findKeyProblem(key: string, value: unknown): string | undefined {
  const check = CHECKS.get(key);
  if (check) {
    const problem = check(value);
    return problem && `"${key}" ${problem}`;
  }
  const names = [...CHECKS.keys()];
  const meant = nearestName(key, names);
  const hint = meant === undefined ? `use ${names.join(', ')}.` : `did you mean "${meant}"?`;
  return `"${key}" is not a known property: ${hint}`;
}

function findTypeProblem(value: unknown): string | undefined {
  if (FIELD_TYPES.includes(value as FieldType)) return undefined;
  const meant = typeof value === 'string' ? nearestName(value.toLowerCase(), FIELD_TYPES) : undefined;
  const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  return `must be one of ${FIELD_TYPES.join(', ')}.${hint}`;
}

function findExpectProblem(value: unknown): string | undefined {
  const message = 'must be an object with "fill" (from 0 to 1), "min" (an integer from 0) or both.';
  if (!isObject(value) || Object.keys(value).length === 0) return message;
  const { fill = 0, min = 0, ...others } = value as Readonly<Record<string, unknown>>;
  if (Object.keys(others).length > 0) return message;
  const isShare = typeof fill === 'number' && fill >= 0 && fill <= 1;
  return isShare && Number.isInteger(min) && (min as number) >= 0 ? undefined : message;
}

const MAX_DEFAULT_BYTES = 4096;

/** Walks without recursion, and stops once the value has more parts than a default has bytes. */
function findDefaultProblem(value: unknown): string | undefined {
  const tooLarge = `must have at most ${MAX_DEFAULT_BYTES} bytes as JSON.`;
  const parts: unknown[] = [value];
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index];
    if (!isJsonPart(part)) return 'must be JSON.';
    const inner = typeof part === 'object' && part !== null ? Object.values(part) : [];
    if (parts.length + inner.length > MAX_DEFAULT_BYTES) return tooLarge;
    parts.push(...inner);
  }
  return Buffer.byteLength(JSON.stringify(value)) > MAX_DEFAULT_BYTES ? tooLarge : undefined;
}

function isJsonPart(part: unknown): boolean {
  if (typeof part === 'number') return Number.isFinite(part);
  return ['string', 'boolean', 'object'].includes(typeof part);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
