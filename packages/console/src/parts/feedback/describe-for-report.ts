import { GleanerError } from '@gleaner/client';

/** Returns the text of an error for a bug report: everything that helps to find it, and nothing that is secret. */
export function describeForReport(error: unknown): string {
  if (!(error instanceof GleanerError))
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const { message, code, status, source, suggestion, requestId, details } = error;
  const lines = [
    `${code}: ${message}`,
    suggestion,
    ...(details ?? []).map(({ path, message: detail }) => `  ${path}: ${detail}`),
    `source ${source}${status === undefined ? '' : `, status ${status}`}`,
    requestId && `request ${requestId}`,
  ];
  return lines.filter(Boolean).join('\n');
}
