/** Parses a CSV document (RFC 4180) into records, each a list of cells. */
export function* parseCsv(text: string): Generator<string[]> {
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/gy;
  let record: string[] = [];
  while (cell.lastIndex < text.length) {
    const match = cell.exec(text);
    if (!match) throw new Error('The text is not valid CSV.');
    const [, quoted, plain = '', end] = match;
    record.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    yield record;
    record = [];
  }
}
