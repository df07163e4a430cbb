import type { ValueChange } from '@gleaner/contracts';

type Data = Readonly<Record<string, unknown>>;

/** Returns the values that differ between those that two runs found at a path; `undefined` stands for none. */
export function diffValue(path: string, before: unknown, after: unknown): ValueChange[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (isRecord(before) && isRecord(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) =>
      diffValue(path ? `${path}.${name}` : name, before[name], after[name]),
    );
  }
  if (Array.isArray(before) && Array.isArray(after)) return diffList(path, before, after);
  if (before === undefined) return [{ path, kind: 'added', after }];
  if (after === undefined) return [{ path, kind: 'removed', before }];
  return [{ path, kind: 'changed', before, after }];
}

/** Compares the entries of lists by a field that tells the records apart, or by their place if no field does. */
function diffList(path: string, before: readonly unknown[], after: readonly unknown[]): ValueChange[] {
  const key = identityOf(before, after);
  const named = (list: readonly unknown[]) =>
    new Map(list.map((entry, index) => [key && isRecord(entry) ? String(entry[key]) : String(index), entry]));
  const [old, fresh] = [named(before), named(after)];
  const names = new Set([...old.keys(), ...fresh.keys()]);
  return [...names].flatMap((name) => diffValue(`${path}[${name}]`, old.get(name), fresh.get(name)));
}

/** Returns the first field whose texts are different in all records of both lists. */
function identityOf(before: readonly unknown[], after: readonly unknown[]): string | undefined {
  const [first] = [...before, ...after];
  if (!isRecord(first)) return undefined;
  return Object.keys(first).find((name) => isUnique(before, name) && isUnique(after, name));
}

function isUnique(list: readonly unknown[], name: string): boolean {
  const values = list.map((entry) => (isRecord(entry) ? entry[name] : undefined));
  return values.every((value) => typeof value === 'string') && new Set(values).size === list.length;
}

function isRecord(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
