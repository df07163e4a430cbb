import { isDeepStrictEqual } from 'node:util';

/** What pages bring, by field. */
export type Data = Readonly<Record<string, unknown>>;

/** A field's value before and now; null where there was or is none. */
export interface FieldChange {
  readonly previous: unknown;
  readonly current: unknown;
}

/** The fields whose values differ, in the order of the current data and then of what is gone; undefined when none does. */
export function diffData(previous: Data, current: Data): Readonly<Record<string, FieldChange>> | undefined {
  const names = new Set([...Object.keys(current), ...Object.keys(previous)]);
  const changes = [...names].flatMap((name): [string, FieldChange][] => {
    const change = { previous: fieldOf(previous, name), current: fieldOf(current, name) };
    return isDeepStrictEqual(change.previous, change.current) ? [] : [[name, change]];
  });
  return changes.length > 0 ? Object.fromEntries(changes) : undefined;
}

function fieldOf(data: Data, name: string): unknown {
  return Object.hasOwn(data, name) ? data[name] : null;
}
