import { GleanerError } from '@gleaner/client';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { stringify } from './json.ts';
import { frame } from './render-answer.ts';
import { ToolError } from './tool-error.ts';

const MAX_DETAILS = 10;
const MAX_TEXT = 1000;

/** Renders an error as the result of a tool, so that the agent sees what to do: what happened, to which field, what next. */
export function describeError(error: unknown): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: textOf(error) }] };
}

function textOf(error: unknown): string {
  if (error instanceof ToolError) return `${error.message}\n${error.suggestion}`;
  if (!(error instanceof GleanerError)) return error instanceof Error ? error.message : String(error);
  const { code, details = [], requestId, retryAfterMs, source, targetStatusCode } = error;
  const more = details.length - MAX_DETAILS;
  const isOfPage = source === 'target' || code === 'INVALID_URL';
  const own = SUGGESTIONS[code];
  const said = [
    quote(error.message),
    ...(details.length > 1
      ? details.slice(0, MAX_DETAILS).map(({ path, message }) => `- ${quote(`${path} ${message}`.trim())}`)
      : []),
    ...(more > 0 ? [`- and ${more} more`] : []),
    ...(!own && error.suggestion ? [quote(error.suggestion)] : []),
  ].join('\n');
  return [
    // A page chooses the host to which it redirects, and so the words of the error.
    isOfPage ? frame(said) : said,
    ...(own ? [own] : []),
    ...(retryAfterMs ? [`Try again after ${Math.ceil(retryAfterMs / 1000)} s.`] : []),
    ...(source === 'target' ? [`The page is the cause${statusOf(targetStatusCode)}, not the service.`] : []),
    `(${[code, requestId].filter(Boolean).join(', ')})`,
  ].join('\n');
}

/** Error messages can quote a page: they stay on one line, short, with hidden characters shown. */
function quote(text: string): string {
  return stringify(text.slice(0, MAX_TEXT).replace(/[\ud800-\udbff]$/, ''))
    .slice(1, -1)
    .replaceAll('\\"', '"');
}

function statusOf(status: number | undefined): string {
  return status === undefined ? '' : ` (it answered ${status})`;
}

/** Next steps in terms of the tools, where the service names routes. */
const SUGGESTIONS: Readonly<Record<string, string>> = {
  BLOCKED: 'Set antiBot to true, or a proxy country.',
  INSUFFICIENT_CREDITS: 'Ask the operator for credits: npm run keys -- credit <account> <amount>',
  FORBIDDEN: 'The operator has to give this server a key with the scope.',
  INVALID_REQUEST: 'Correct the named arguments.',
  JOB_NOT_FINISHED: 'Wait for the job with get_job and waitSeconds.',
  JOB_NOT_FOUND: 'get_job without an id lists the jobs of this account.',
  SCHEDULE_NOT_FOUND: 'schedule with the action list shows the schedules of this account.',
  UNAUTHORIZED: 'The operator has to give this server a valid key: gleaner key create',
};
