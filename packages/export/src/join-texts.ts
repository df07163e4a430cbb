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
  for await (const texts of results) yield texts.map(lineOf).join('');
}

/** Returns JSON as a line: line breaks stand only between its tokens, since in strings they are escapes. */
export function lineOf(json: string): string {
  const isOne = !json.includes('\n') && !json.includes('\r');
  return `${isOne ? json : json.replace(/[\n\r]/g, ' ')}\n`;
}
