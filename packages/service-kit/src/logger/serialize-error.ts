/** An error in a log line: its type, codes and stack, and its causes, the nearest first. */
export interface SerializedError {
  readonly type: string;
  readonly message: string;
  readonly stack?: string;
  readonly causes?: readonly SerializedError[];
  readonly [field: string]: unknown;
}

/** Fields that are logged besides message and stack: others of a library's error may hold whole requests. */
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

/** Converts an error for a log line; any other thrown value is converted to text. */
export function serializeError(thrown: unknown): SerializedError {
  const causes = causesOf(thrown).map(serializeOne);
  return causes.length > 0 ? { ...serializeOne(thrown), causes } : serializeOne(thrown);
}

/** Lists all causes of an error, through `cause` and the errors of an AggregateError, each once. */
function causesOf(thrown: unknown): unknown[] {
  const found = new Set<unknown>([thrown]);
  for (const error of found) {
    if (!(error instanceof Error)) continue;
    const causes: unknown[] = error instanceof AggregateError ? [...error.errors] : [];
    const cause = fieldOf(error, 'cause');
    if (cause !== undefined) causes.unshift(cause);
    for (const each of causes) if (found.size <= MAX_CAUSES) found.add(each);
  }
  return [...found].slice(1);
}

function serializeOne(thrown: unknown): SerializedError {
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

/** Reads a field of an error, whose getters may throw. */
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
