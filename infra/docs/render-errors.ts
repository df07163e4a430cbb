import { ERROR_CODES, ERROR_TABLE } from '@gleaner/contracts';

/** Renders the error reference as Markdown, one row per code, from the table that the service uses. */
export function renderErrors(): string {
  const rows = ERROR_CODES.map((code) => {
    const { httpStatus, source, isRetryable, when, suggestion } = ERROR_TABLE[code];
    return `| \`${code}\` | ${httpStatus} | ${source} | ${isRetryable ? 'yes' : 'no'} | ${inCell(when)} | ${inCell(suggestion)} |`;
  });
  return `# Errors

Every error response has this body and the header \`X-Request-Id\`:

\`\`\`json
{
  "success": false,
  "error": {
    "code": "NOT_FOUND",
    "message": "The site answered 404 Not Found for https://example.com/gone.",
    "suggestion": "Open the URL in a browser to check that the page exists.",
    "source": "target",
    "targetStatusCode": 404,
    "attempts": [{ "engine": "http", "statusCode": 404, "outcome": "NOT_FOUND", "durationMs": 41 }],
    "requestId": "req_01jd8x3q4r5s6t7v8w9xayazb0"
  }
}
\`\`\`

\`source\` is \`api\` where this service refused or failed, and \`target\` where the page did: a 404 or 429 of the
target cannot be mistaken for ours. \`details\` lists each error of a body or query. \`targetStatusCode\` is the HTTP status
of the target, where it answered; \`attempts\` lists the attempts of a scrape that failed. The \`error\` of a failed URL
in the results of a job has the same fields. A failure costs no credits.

| code | HTTP | source | may succeed later | when | what to do |
|---|---|---|---|---|---|
${rows.join('\n')}
`;
}

function inCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
