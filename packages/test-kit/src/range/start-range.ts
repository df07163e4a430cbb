import { type Exchange, page, sendHtml } from '../origin/behavior.ts';
import { type Origin, startOrigin } from '../origin/start-origin.ts';
import { RANGE_CASES } from './range-cases.ts';

/** Starts the test origin with an index of the range at `/`, and the right answers at `/expect.json`. */
export async function startRange(port = 0): Promise<Origin> {
  return startOrigin({
    port,
    routes: [
      { path: '/', behavior: sendIndex },
      { path: '/expect.json', behavior: sendExpectations },
    ],
  });
}

function sendExpectations({ response }: Exchange): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ cases: RANGE_CASES }, null, 2));
}

function sendIndex(exchange: Exchange): void {
  const rows = RANGE_CASES.map(({ path, options = {}, expect }) => {
    const cells = [`<a href="${escaped(path)}">${escaped(path)}</a>`, ...[options, expect].map(shown)];
    return `<tr><td>${cells.join('<td>')}`;
  });
  const head = '<tr><th>Page<th>Options<th>Right answer';
  sendHtml(
    exchange,
    page(
      'The range',
      `<h1>The range</h1><p>The same as JSON: <a href="/expect.json">/expect.json</a></p><table>${head}${rows.join('')}</table>`,
    ),
  );
}

function shown(value: object): string {
  return escaped(JSON.stringify(value));
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
