import { CommandError, commandError } from './command-error.ts';

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
