import { EXIT_CODES, StartupError } from './startup-error.ts';

/**
 * What is made of settings by those who understand them. Whatever they throw becomes a StartupError: starting again without a
 * change is of no use.
 */
export function fromSettings<Made>(make: () => Made): Made {
  try {
    return make();
  } catch (cause) {
    throw new StartupError(cause instanceof Error ? cause.message : String(cause), {
      suggestion: 'Correct the settings named above, and start again.',
      exitCode: EXIT_CODES.misconfigured,
      cause,
    });
  }
}
