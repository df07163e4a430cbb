import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Static, TSchema } from 'typebox';
import type { ErrorDetail } from '../errors/app-error.ts';
import { COMPONENTS } from './components.ts';
import { describeErrors } from './describe-errors.ts';
import { readTexts } from './read-texts.ts';

/** Result of a check: the typed value, or every error. */
export type Checked<Value> = { ok: true; value: Value } | { ok: false; details: ErrorDetail[] };

/** Checks a value against the schema that it was compiled from. */
export type Check<Value> = (value: unknown) => Checked<Value>;

/**
 * `exact` checks values as they are (JSON bodies); `from-text` parses them from text first (query strings); `open` allows
 * fields that the schema does not know, as a later version of another service may send them (messages).
 */
export type Reading = 'exact' | 'from-text' | 'open';

/**
 * Returns a check that lists every error in plain words. The schema is compiled at its first use, so that a process only
 * compiles the schemas that it needs; an invalid schema throws then.
 */
export function compileSchema<Schema extends TSchema>(
  schema: Schema,
  reading: Reading = 'exact',
): Check<Static<Schema>> {
  let validate: ValidateFunction<Static<Schema>> | undefined;
  return (given) => {
    const value = reading === 'from-text' ? readTexts(schema, given) : given;
    const whole = { ...schema, components: { schemas: COMPONENTS } };
    validate ??= ajv().compile<Static<Schema>>(reading === 'open' ? opened(whole) : whole);
    if (validate(value)) return { ok: true, value };
    return {
      ok: false,
      details: describeErrors(validate.errors ?? [], reading === 'from-text' ? 'texts' : 'value'),
    };
  };
}

/** Returns a copy of a schema whose objects may have further fields. */
function opened<Part>(part: Part): Part {
  if (Array.isArray(part)) return part.map(opened) as Part;
  if (typeof part !== 'object' || part === null) return part;
  const entries = Object.entries(part).filter(
    ([name, value]) => name !== 'additionalProperties' || value !== false,
  );
  return Object.fromEntries(entries.map(([name, value]) => [name, opened(value)])) as Part;
}

function ajv(): Ajv2020 {
  const instance = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: true,
    allowUnionTypes: true,
    // A test checks our schemas against the meta-schema; compiling that would take longer than compiling all of ours.
    meta: false,
    validateSchema: false,
  });
  formats.default(instance, ['date-time', 'date']);
  instance.addVocabulary(['components', 'x-expected']);
  return instance;
}
