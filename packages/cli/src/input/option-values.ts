import { InvalidArgumentError } from 'commander';
import { UsageError } from '../exit-codes.ts';

/** Collects the values of an option that may be repeated. */
export function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

/** Reads a whole number. */
export function parseCount(value: string): number {
  if (/^\d+$/.test(value)) return Number(value);
  throw new InvalidArgumentError('It must be a whole number.');
}

/** Splits a list at its commas. */
export function splitList(value: string): string[] {
  return value
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

/** Divides a text at its first separator. */
export function pairOf(text: string, separator: string, option: string, example: string): [string, string] {
  const at = text.indexOf(separator);
  if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  throw new UsageError(`${option} ${text} has no "${separator}".`, `Write it as ${option} '${example}'.`);
}
