import { GleanerError } from '@gleaner/client';
import { UsageError } from './exit-codes.ts';

/** Surroundings of an error. */
export interface ErrorContext {
  readonly isJson: boolean;
  /** Command that prints the help. */
  readonly help: string;
}

/** Renders an error for the error stream, behind the name of the command: what happened, what to do, and where; as JSON for programs. */
export function describeError(error: unknown, { isJson, help }: ErrorContext): string {
  if (isJson) return `${JSON.stringify({ error: toJson(error) })}\n`;
  const message = error instanceof Error ? error.message : String(error);
  const lines = [message, ...detailsOf(error), ...suggestionOf(error, help), ...originOf(error)];
  const [first = '', ...rest] = lines.flatMap((line) => line.split('\n'));
  return ` ${first}\n${rest.map((line) => `         ${line}\n`).join('')}`;
}

function toJson(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause, ...fields } = error as Error & Record<string, unknown>;
  return { message, ...fields };
}

function suggestionOf(error: unknown, help: string): string[] {
  if (error instanceof GleanerError) {
    // The suggestion of the service is about fields of JSON.
    if (error.code === 'INVALID_REQUEST') return [`The help lists the options: ${help}`];
    const suggestion = SUGGESTIONS[error.code] ?? error.suggestion;
    return suggestion ? [suggestion] : [];
  }
  return error instanceof UsageError && error.suggestion ? [error.suggestion] : [];
}

/** Next steps in words of the command line, where the service names routes. */
const SUGGESTIONS: Readonly<Record<string, string>> = {
  UNAUTHORIZED: 'Log in with a valid key: gleaner login. Create one with: npm run keys -- create',
  FORBIDDEN: 'Use a key with the scope. Create one with: gleaner key create --scopes <scope>',
  INSUFFICIENT_CREDITS:
    'gleaner usage shows the balance. Add credits with: npm run keys -- credit <account> <amount>',
  INVALID_SELECTOR:
    "A selector is CSS, then ::text, ::attr(name) or ::html, then ::all: -s 'links=a::attr(href)::all'",
  PAYLOAD_TOO_LARGE:
    'Divide a long list: split -l 50000 urls.txt part-; for part in part-*; do gleaner job create --urls-file $part; done',
  JOB_NOT_FOUND: 'gleaner job list shows the jobs of this account.',
  JOB_NOT_FINISHED: 'Follow the job with: gleaner job watch <id>',
  JOB_NOT_CANCELLABLE: 'Read its results with: gleaner job results <id>',
  SCHEDULE_NOT_FOUND: 'gleaner schedule list shows the schedules of this account.',
  KEY_NOT_FOUND: 'gleaner key list shows the keys of this account.',
  DELIVERY_NOT_FOUND: 'gleaner webhook deliveries shows the deliveries of this account.',
  BLOCKED: 'Try again with --anti-bot, or go out through another country with --proxy.',
  STREAM_CUT: 'Everything before the cut has arrived. Run the command again for the whole.',
};

const MAX_DETAILS = 10;

/** The message repeats a single detail. */
function detailsOf(error: unknown): string[] {
  const details = error instanceof GleanerError ? (error.details ?? []) : [];
  if (details.length < 2) return [];
  const more = details.length - MAX_DETAILS;
  return [
    ...details.slice(0, MAX_DETAILS).map(({ path, message }) => `- ${path ? `${path} ` : ''}${message}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ];
}

function originOf(error: unknown): string[] {
  if (!(error instanceof GleanerError) || !error.requestId) return [];
  return [`(${error.code}, ${error.requestId})`];
}
