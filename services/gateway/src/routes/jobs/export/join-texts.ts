export const JSON_TYPE = 'application/json; charset=utf-8';
export const NDJSON_TYPE = 'application/x-ndjson; charset=utf-8';

/** Writes JSON texts as one array. */
export async function* joinAsJson(results: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  let opening = '[';
  for await (const texts of results) {
    yield `${opening}\n${texts.join(',\n')}`;
    opening = ',';
  }
  yield opening === '[' ? '[]\n' : '\n]\n';
}

/** Writes JSON texts with one on each line, however they were written. */
export async function* joinAsLines(results: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  for await (const texts of results) yield `${texts.map(onOneLine).join('\n')}\n`;
}

/** Returns JSON without line breaks, which stand only between its tokens: in strings, they are escapes. */
function onOneLine(json: string): string {
  return json.includes('\n') || json.includes('\r') ? json.replace(/[\n\r]/g, ' ') : json;
}
