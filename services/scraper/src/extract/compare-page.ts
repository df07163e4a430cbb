import { cutText, type Difference, type Expected, type TestResult } from '@gleaner/contracts';
import type { PageValues } from './reading.ts';

/** Outcome of a test of a recipe on its page. */
export type Compared = Pick<TestResult, 'passed' | 'verdict' | 'differences' | 'error'>;

/** Most characters of a value that are shown. */
const MAX_SHOWN = 1000;

/** Compares the values of a page with the expected ones. */
export function comparePage(
  { dataJson = '{}', formatsJson = '{}', missing, verdict: { page } }: PageValues,
  { expect, verdict = page }: Expected,
): Compared {
  const data: unknown = JSON.parse(dataJson);
  const formats: unknown = JSON.parse(formatsJson);
  const values = missing ? [] : Object.entries(expect);
  const differences = values.flatMap(([path, expected]): Difference[] => {
    const own = valueAt(data, path);
    const actual = own === undefined ? valueAt({ formats }, path) : own;
    if (actual !== undefined && isEqual(expected, actual)) return [];
    const shown = { path, expected: show(expected) };
    return [actual === undefined ? shown : { ...shown, actual: show(actual) }];
  });
  if (verdict !== page) differences.push({ path: 'verdict', expected: show(verdict), actual: show(page) });
  const passed = differences.length === 0 && missing === undefined;
  return { passed, verdict: page, differences, ...(missing && { error: missing }) };
}

/**
 * Returns the value at a dotted path; undefined if there is none. Of the names that the path may begin with, the longest is
 * meant, so that names may have dots.
 */
export function valueAt(value: unknown, path: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  for (let end = path.length; end > 0; end = path.lastIndexOf('.', end - 1)) {
    const name = path.slice(0, end);
    if (!Object.hasOwn(value, name)) continue;
    // A list has its length as a member of its own.
    const member = (value as Readonly<Record<string, unknown>>)[name];
    return end === path.length ? member : valueAt(member, path.slice(end + 1));
  }
  return undefined;
}

/** Compares two JSON values, no deeper than the first one nests. */
function isEqual(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null)
    return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [first, second] = [Object.entries(one), other as Readonly<Record<string, unknown>>];
  if (first.length !== Object.keys(second).length) return false;
  return first.every(([name, value]) => Object.hasOwn(second, name) && isEqual(value, second[name]));
}

function show(value: unknown): string {
  const json = JSON.stringify(value);
  return json.length > MAX_SHOWN ? `${cutText(json, MAX_SHOWN)}…` : json;
}
