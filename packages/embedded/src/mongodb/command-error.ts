/** MongoDB's own codes and names (`src/mongo/base/error_codes.yml`), as far as this server raises them. */
const ERROR_CODES = {
  InternalError: 1,
  BadValue: 2,
  FailedToParse: 9,
  Unauthorized: 13,
  TypeMismatch: 14,
  Overflow: 15,
  InvalidLength: 16,
  IllegalOperation: 20,
  NamespaceNotFound: 26,
  IndexNotFound: 27,
  PathNotViable: 28,
  ConflictingUpdateOperators: 40,
  CursorNotFound: 43,
  MaxTimeMSExpired: 50,
  DollarPrefixedFieldName: 52,
  InvalidIdField: 53,
  NotSingleValueField: 54,
  EmptyFieldName: 56,
  CommandNotFound: 59,
  ImmutableField: 66,
  CannotCreateIndex: 67,
  InvalidOptions: 72,
  InvalidNamespace: 73,
  IndexOptionsConflict: 85,
  IndexKeySpecsConflict: 86,
  InvalidPipelineOperator: 168,
  CannotIndexParallelArrays: 171,
  QueryPlanKilled: 175,
  InvalidIndexSpecificationOption: 197,
  NotImplemented: 238,
  QueryExceededMemoryLimitNoDiskUseAllowed: 292,
  BSONObjectTooLarge: 10334,
  DuplicateKey: 11000,
  InterruptedAtShutdown: 11600,
  CursorInUse: 12051,
  OutOfDiskSpace: 14031,
  IDLFailedToParse: 40414,
  IDLUnknownField: 40415,
} as const;

type CodeName = keyof typeof ERROR_CODES;

/** An error that a client sees as `{ok: 0, code, codeName, errmsg}` or as a write error; `fields` are added to it. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly code: number;
  readonly codeName: string;
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(code: number, codeName: string, message: string, fields: Record<string, unknown> = {}) {
    super(message);
    this.code = code;
    this.codeName = codeName;
    this.fields = fields;
  }
}

/** Returns an error with one of MongoDB's named codes. */
export function commandError(codeName: CodeName, message: string, fields?: Record<string, unknown>) {
  return new CommandError(ERROR_CODES[codeName], codeName, message, fields);
}

/** Returns an error with one of MongoDB's unnamed assertion codes, whose name is `Location<code>`. */
export function locationError(code: number, message: string) {
  return new CommandError(code, `Location${code}`, message);
}

/** Returns NotImplemented for a part of MongoDB that this server does not have, naming the remedy. */
export function notServed(what: string) {
  return commandError(
    'NotImplemented',
    `${what} is not supported by the embedded server; connect to a real MongoDB to use it`,
  );
}

/** Returns the body of an error reply. */
export function errorReply(thrown: unknown): Record<string, unknown> {
  const error = asCommandError(thrown);
  return { ok: 0, errmsg: error.message, code: error.code, codeName: error.codeName, ...error.fields };
}

/** Returns the error of one statement of a write command. Rethrows errors of the server itself. */
export function writeError(index: number, thrown: unknown): Record<string, unknown> {
  if (!(thrown instanceof CommandError)) throw thrown;
  return { index, code: thrown.code, ...thrown.fields, errmsg: thrown.message };
}

function asCommandError(thrown: unknown): CommandError {
  if (thrown instanceof CommandError) return thrown;
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return commandError('InternalError', `internal error: ${reason}`);
}
