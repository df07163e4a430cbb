/** Fields that tell values apart: their values are words of this code, never a page's. */
const MARKS: ReadonlySet<string> = new Set(['code', 'kind', 'page', 'basis', 'path']);
const MARKS_OF_ERRORS: ReadonlySet<string> = new Set([...MARKS, 'name', 'source', 'verdict']);
/** Deepest level of a value; anything below it is left out. */
const MAX_DEPTH = 12;

/**
 * Returns a value without the secrets in its texts: the same value if it has none, else a copy. Errors keep their class and
 * their fields, since callers tell them apart by class, code and cause.
 */
export function redactValue<Value>(value: Value, redact: (text: string) => string): Value {
  return redactPart(value, redact, MAX_DEPTH) as Value;
}

function redactPart(value: unknown, redact: (text: string) => string, depth: number): unknown {
  if (typeof value === 'string') return redact(value);
  if (depth === 0) return undefined;
  if (Array.isArray(value)) {
    const shown = value.map((each) => redactPart(each, redact, depth - 1));
    return shown.every((each, index) => each === value[index]) ? value : shown;
  }
  if (typeof value !== 'object' || value === null || !isCopied(value)) return value;
  return redactFields(value, redact, depth);
}

/** Returns true for errors and for plain objects; others, such as bytes, hold no texts. */
function isCopied(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return value instanceof Error || prototype === Object.prototype || prototype === null;
}

function redactFields(value: object, redact: (text: string) => string, depth: number): object {
  const fields = Object.getOwnPropertyDescriptors(value) as Record<string, PropertyDescriptor>;
  const marks = value instanceof Error ? MARKS_OF_ERRORS : MARKS;
  let isChanged = false;
  for (const [name, field] of Object.entries(fields)) {
    if (marks.has(name)) continue;
    // The stack of an error is read, not stored, in some engines.
    const before: unknown = Reflect.get(value, name);
    const after = redactPart(before, redact, depth - 1);
    if (after === before) continue;
    isChanged = true;
    fields[name] = { value: after, enumerable: field.enumerable ?? true, writable: true, configurable: true };
  }
  return isChanged ? Object.create(Object.getPrototypeOf(value), fields) : value;
}
