import type { ErrorDetail } from '@gleaner/contracts';

/** The parameters of a URL's query by name, and what is wrong with them as such. */
export interface QueryReading {
  readonly values: Record<string, string>;
  readonly faults: readonly ErrorDetail[];
}

/** Reads the query of a request target (URL Standard, application/x-www-form-urlencoded); no name may come twice. */
export function readQuery(target: string): QueryReading {
  const start = target.indexOf('?');
  if (start === -1) return { values: {}, faults: [] };
  const pairs = [...new URLSearchParams(target.slice(start))];
  const values = Object.fromEntries(pairs);
  const isRepeated = pairs.length > Object.keys(values).length;
  return { values, faults: isRepeated ? findRepeats(pairs) : [] };
}

function findRepeats(pairs: readonly [name: string, value: string][]): ErrorDetail[] {
  const groups = Map.groupBy(pairs, ([name]) => name);
  const repeated = [...groups].filter(([, group]) => group.length > 1);
  return repeated.map(([path]) => ({ path, message: 'must not be given more than once' }));
}
