import { type Data, isRecord } from './diff-value.ts';

/** Returns the paths of fields in the data; those of a rule of a crawl are named by it elsewhere. */
export function pathsInData(paths: Iterable<string>): ReadonlySet<string> {
  return new Set([...paths].map((path) => path.replace(/^rules\.\d+\./, '')));
}

/** Returns data with some fields alone, and in records around them with the key that they are matched by. */
export function onlyFields(
  data: Data,
  only: ReadonlySet<string>,
  keys: ReadonlyMap<string, string>,
  outer = '',
): Data {
  const isAround = (path: string) => [...only].some((each) => each.startsWith(`${path}.`));
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]) => {
      const path = outer + name;
      if (only.has(path)) return [[name, value]];
      if (!isAround(path)) return [];
      if (isRecord(value)) return [[name, onlyFields(value, only, keys, `${path}.`)]];
      const key = keys.get(path);
      if (!Array.isArray(value) || key === undefined) return [];
      const records = value.filter(isRecord).map((record) => ({
        ...onlyFields(record, only, keys, `${path}.`),
        ...(Object.hasOwn(record, key) && { [key]: record[key] }),
      }));
      return [[name, records]];
    }),
  );
}

/** Returns data without some fields, which are named by their paths. */
export function withoutFields(data: Data, lost: ReadonlySet<string>, outer = ''): Data {
  if (lost.size === 0) return data;
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]) => {
      const path = outer + name;
      if (lost.has(path)) return [];
      if (Array.isArray(value)) {
        const inner = value.map((each) => (isRecord(each) ? withoutFields(each, lost, `${path}.`) : each));
        return [[name, inner]];
      }
      return [[name, isRecord(value) ? withoutFields(value, lost, `${path}.`) : value]];
    }),
  );
}
