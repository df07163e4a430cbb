import { AmqpError } from '../wire/amqp-error.ts';
import { type FieldTable, type FieldValue, integerOf } from '../wire/field-table.ts';

/** Two declarations of one queue or exchange: its name, the existing one, and the new one. */
interface Declarations {
  /** `queue 'name' in vhost '/'`. */
  readonly subject: string;
  readonly current: Readonly<Record<string, boolean | string>>;
  readonly received: Readonly<Record<string, boolean | string>>;
}

/** Throws RabbitMQ's PRECONDITION_FAILED where the second declaration differs in a property. */
export function assertSameProperties({ subject, current, received }: Declarations): void {
  for (const [name, value] of Object.entries(received)) {
    if (current[name] === value) continue;
    throw inequivalent(name, subject, `received '${value}' but current is '${current[name]}'`);
  }
}

/** Does the same for arguments; compares only those in `names`. */
export function assertSameArguments(
  subject: string,
  names: readonly string[],
  current: FieldTable,
  received: FieldTable,
): void {
  for (const name of names) {
    const [now, wanted] = [current.get(name), received.get(name)];
    if (isSame(now, wanted) || (name === 'x-queue-type' && isClassic(now) && isClassic(wanted))) continue;
    throw inequivalent(name, subject, `received ${shown(wanted)} but current is ${shown(now)}`);
  }
}

function isSame(now: FieldValue | undefined, wanted: FieldValue | undefined): boolean {
  if (!now || !wanted) return now === wanted;
  const integer = integerOf(now);
  if (integer !== undefined) return integer === integerOf(wanted);
  return now.tag === wanted.tag && now.value === wanted.value;
}

/** A queue without a type is classic. */
function isClassic(field: FieldValue | undefined): boolean {
  return !field || field.value === 'classic';
}

function shown(field: FieldValue | undefined): string {
  return field ? `'${field.value}'` : 'none';
}

function inequivalent(name: string, subject: string, difference: string): AmqpError {
  return new AmqpError('PRECONDITION_FAILED', `inequivalent arg '${name}' for ${subject}: ${difference}`);
}
