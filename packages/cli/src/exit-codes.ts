import { GleanerError } from '@gleaner/client';

/** Exit codes of every command, and when each is used; docs/command-line.md lists them. */
export const EXIT_CODES = {
  ok: { code: 0, when: 'everything was done' },
  failed: { code: 1, when: 'the command failed, or its job or a test did' },
  usage: { code: 2, when: 'a command, an option or its value is wrong' },
  partial: { code: 3, when: 'some URLs of the job failed' },
  key: { code: 4, when: 'the API key is missing or unknown, or lacks a scope' },
  target: { code: 5, when: 'the page refused or failed' },
  timeout: { code: 6, when: 'a wait ran out' },
  interrupted: { code: 130, when: 'Ctrl-C' },
} as const;

export type Exit = keyof typeof EXIT_CODES;

/** A mistake in what was typed. */
export class UsageError extends Error {
  readonly suggestion: string | undefined;

  constructor(message: string, suggestion?: string) {
    super(message);
    this.suggestion = suggestion;
  }
}

/** An error that has its own exit code. */
export class CommandError extends UsageError {
  readonly exit: Exit;

  constructor(message: string, options: { readonly suggestion?: string; readonly exit?: Exit } = {}) {
    super(message, options.suggestion);
    this.exit = options.exit ?? 'failed';
  }
}

/** Returns how a command ends that threw this error. */
export function exitOf(error: unknown): Exit {
  if (error instanceof CommandError) return error.exit;
  if (error instanceof UsageError) return 'usage';
  if (!(error instanceof GleanerError)) return 'failed';
  if (TIMEOUTS.has(error.code)) return 'timeout';
  if (error.source === 'target') return 'target';
  if (error.source === 'api' && (error.status === 401 || error.status === 403)) return 'key';
  return USAGE.has(error.code) ? 'usage' : 'failed';
}

const TIMEOUTS: ReadonlySet<string> = new Set(['TIMEOUT', 'CLIENT_TIMEOUT']);
const USAGE: ReadonlySet<string> = new Set([
  'INVALID_URL',
  'INVALID_REQUEST',
  'INVALID_SELECTOR',
  'INVALID_OPTION',
  'PAYLOAD_TOO_LARGE',
]);
