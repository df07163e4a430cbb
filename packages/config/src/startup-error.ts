/** What an operator must put right before the service can run: `message` says what is wrong, `suggestion` what to do. */
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

/** How a service's process ends. */
export const EXIT_CODES = {
  done: 0,
  failed: 1,
  /** EX_CONFIG of sysexits(3): starting again without a change is of no use. */
  misconfigured: 78,
  /** 128 + SIGINT: asked a second time, the service ends without draining. */
  interrupted: 130,
} as const;

interface StartupErrorOptions {
  readonly suggestion: string;
  readonly exitCode?: number;
  readonly cause?: unknown;
}
