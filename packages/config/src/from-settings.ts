import { EXIT_CODES, StartupError } from './startup-error.ts';

/** Builds a value from settings; any error becomes a StartupError, since a retry without a change cannot help. */
export function fromSettings<Value>(build: () => Value): Value {
  try {
    return build();
  } catch (cause) {
    throw new StartupError(cause instanceof Error ? cause.message : String(cause), {
      suggestion: 'Correct the settings named above, and start again.',
      exitCode: EXIT_CODES.misconfigured,
      cause,
    });
  }
}
