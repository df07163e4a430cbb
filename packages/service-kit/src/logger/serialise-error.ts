/** An error as log lines show it: what it is, its codes, its stack, and what caused it, the nearest first. */
export interface SerialisedError {
  readonly type: string;
  readonly message: string;
  readonly stack?: string;
  readonly causes?: readonly SerialisedError[];
  readonly [field: string]: unknown;
}

/** Fields worth showing beside message and stack: others of a foreign error may hold whole requests. */
const SHOWN_FIELDS = [
  'code',
  'suggestion',
  'details',
  'source',
  'errno',
  'syscall',
  'address',
  'port',
  'hostname',
  'statusCode',
];

const MAX_CAUSES = 8;
const MAX_TEXT_LENGTH = 8192;

/** Takes an error apart for a log line; anything else that was thrown is shown as text. */
export function serialiseError(thrown: unknown): SerialisedError {
  const causes = causesOf(thrown).map(serialiseOne);
  return causes.length > 0 ? { ...serialiseOne(thrown), causes } : serialiseOne(thrown);
}

/** Everything below an error, through `cause` and the errors of an AggregateError, each once. */
function causesOf(thrown: unknown): unknown[] {
  const found = new Set<unknown>([thrown]);
  for (const error of found) {
    if (!(error instanceof Error)) continue;
    const below: unknown[] = error instanceof AggregateError ? [...error.errors] : [];
    const cause = fieldOf(error, 'cause');
    if (cause !== undefined) below.unshift(cause);
    for (const each of below) if (found.size <= MAX_CAUSES) found.add(each);
  }
  return [...found].slice(1);
}

function serialiseOne(thrown: unknown): SerialisedError {
  if (!(thrown instanceof Error)) return { type: typeof thrown, message: shorten(thrown) };
  const fields = SHOWN_FIELDS.flatMap((name) => {
    const value = fieldOf(thrown, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    type: shorten(fieldOf(thrown, 'name')),
    message: shorten(fieldOf(thrown, 'message')),
    ...Object.fromEntries(fields),
    stack: shorten(fieldOf(thrown, 'stack')),
  };
}

/** A foreign error can have getters that throw. */
function fieldOf(error: Error, name: string): unknown {
  try {
    return Reflect.get(error, name);
  } catch {
    return undefined;
  }
}

function shorten(value: unknown): string {
  const text = typeof value === 'object' ? Object.prototype.toString.call(value) : String(value);
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
}
