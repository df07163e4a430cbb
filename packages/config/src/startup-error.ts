/** Error that an operator must fix before the service can run: `message` names it, `suggestion` tells what to do. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
  readonly suggestion: string;
  readonly exitCode: number;

  constructor(message: string, options: StartupErrorOptions) {
    super(message, { cause: options.cause });
    this.suggestion = options.suggestion;
    this.exitCode = options.exitCode ?? EXIT_CODES.failed;
  }
}

/** Exit codes of a service's process. */
export const EXIT_CODES = {
  done: 0,
  failed: 1,
  /** EX_CONFIG of sysexits(3): a restart without a change cannot help. */
  misconfigured: 78,
  /** 128 + SIGINT: at a second signal the service exits without draining. */
  interrupted: 130,
} as const;

interface StartupErrorOptions {
  readonly suggestion: string;
  readonly exitCode?: number;
  readonly cause?: unknown;
}

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
