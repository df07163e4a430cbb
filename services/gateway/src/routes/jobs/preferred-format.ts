import type { ResultFormat } from '@gleaner/contracts';

const MEDIA_TYPES: Readonly<Record<string, ResultFormat>> = {
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'text/csv': 'csv',
  'application/vnd.apache.parquet': 'parquet',
};

/** Returns the one of these formats that an Accept header prefers (RFC 9110, section 12.5.1); JSON where it names none. */
export function preferredFormat<Format extends ResultFormat>(
  accept: string | undefined,
  formats: readonly Format[],
): Format | 'json' {
  const ranges = (accept ?? '').split(',').map((range, index) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const format = formats.find((each) => each === MEDIA_TYPES[type]);
    return { format, weight: quality === undefined ? 1 : Number(quality), index };
  });
  const [best] = ranges
    .filter(({ format, weight }) => format !== undefined && weight > 0)
    .toSorted((one, other) => other.weight - one.weight || one.index - other.index);
  return best?.format ?? 'json';
}
