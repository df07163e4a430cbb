import { AmqpError } from '../wire/amqp-error.ts';
import { type FieldTable, type FieldValue, integerOf } from '../wire/field-table.ts';

const MODES: readonly unknown[] = ['all', 'any', 'all-with-x', 'any-with-x'];

/** Throws PRECONDITION_FAILED for a binding to a headers exchange whose x-match is unknown. */
export function checkHeaderBinding(binding: FieldTable): void {
  const mode = binding.get('x-match');
  if (!mode || MODES.includes(mode.value)) return;
  throw new AmqpError(
    'PRECONDITION_FAILED',
    `Invalid x-match field value '${mode.value}'; expected all, any, all-with-x, or any-with-x`,
  );
}

/** Returns true if the headers of a message satisfy the arguments of a binding to a headers exchange. */
export function matchHeaders(binding: FieldTable, headers: FieldTable): boolean {
  const mode = binding.get('x-match')?.value ?? 'all';
  const countsX = mode === 'all-with-x' || mode === 'any-with-x';
  const wanted = [...binding].filter(([name]) => name !== 'x-match' && (countsX || !name.startsWith('x-')));
  const isMet = ([name, value]: [string, FieldValue]) => isEqualField(value, headers.get(name));
  return mode === 'any' || mode === 'any-with-x' ? wanted.some(isMet) : wanted.every(isMet);
}

/** A void value requires the header with any value; integers of different widths are equal. */
function isEqualField(wanted: FieldValue, found: FieldValue | undefined): boolean {
  if (!found) return false;
  if (wanted.tag === 'V') return true;
  const wantedInteger = integerOf(wanted);
  if (wantedInteger !== undefined) return wantedInteger === integerOf(found);
  return plain(wanted) === plain(found);
}

function plain(field: FieldValue): string {
  const tag = field.tag === 'f' ? 'd' : field.tag;
  return `${tag}:${JSON.stringify(field.value, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))}`;
}
