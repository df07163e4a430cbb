import { ERROR_CODES, ERROR_TABLE } from '@gleaner/contracts';

/** The error reference as Markdown, one row per code, from the table that the service answers from. */
export function renderErrors(): string {
  const rows = ERROR_CODES.map((code) => {
    const { httpStatus, source, isRetryable, when, suggestion } = ERROR_TABLE[code];
    return `| \`${code}\` | ${httpStatus} | ${source} | ${isRetryable ? 'yes' : 'no'} | ${inCell(when)} | ${inCell(suggestion)} |`;
  });
  return `# Errors

Every answer that is not a success has this body, and the header \`X-Request-Id\`:

\`\`\`json
{
  "success": false,
  "error": {
    "code": "NOT_FOUND",
    "message": "The site answered 404: https://example.com/gone is not there.",
    "suggestion": "Check the URL in a browser: the page is not there.",
    "source": "target",
    "requestId": "req_01jd8x3q4r5s6t7v8w9xayazb0"
  }
}
\`\`\`

\`source\` says whose answer it is: \`api\` is this service, \`target\` the page that was asked for, so that a 404 or a
429 of the target can't be mistaken for ours. \`details\` lists the faults of a body or query, one by one. A failure
costs no credits.

| code | HTTP | source | may succeed later | when | what to do |
|---|---|---|---|---|---|
${rows.join('\n')}
`;
}

function inCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
