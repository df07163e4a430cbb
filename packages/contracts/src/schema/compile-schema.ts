import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Static, TSchema } from 'typebox';
import type { ErrorDetail } from '../errors/app-error.ts';
import { SelectorSchema } from '../scrape/selectors.ts';
import { describeErrors, type Reading } from './describe-errors.ts';

/** Result of a check: the typed value, or its errors. */
export type Checked<Value> = { ok: true; value: Value } | { ok: false; details: ErrorDetail[] };

/** Checks a value against the schema that it was compiled from. */
export type Check<Value> = (value: unknown) => Checked<Value>;

/**
 * Returns a check that lists the errors in plain words. The schema is compiled at its first use, so that a process only
 * compiles the schemas that it needs; an invalid schema throws then. ajv stops at the first error: asked for all of them,
 * it takes time quadratic in their number.
 */
export function compileSchema<Schema extends TSchema>(
  schema: Schema,
  reading: Reading = 'exact',
): Check<Static<Schema>> {
  return (given) => {
    const validate = validatorOf(schema, reading);
    const value = reading === 'from-text' ? readTexts(schema, given) : given;
    if (validate(value)) return { ok: true, value };
    return { ok: false, details: describeErrors(schema, value, reading) };
  };
}

/** The schemas that others refer to by name. */
const COMPONENTS = { schemas: { Selector: SelectorSchema } };

/** Validators by schema: each service of a process reads the same messages. */
const VALIDATORS: Readonly<Record<Reading, WeakMap<TSchema, ValidateFunction>>> = {
  exact: new WeakMap(),
  'from-text': new WeakMap(),
  open: new WeakMap(),
};

function validatorOf<Schema extends TSchema>(
  schema: Schema,
  reading: Reading,
): ValidateFunction<Static<Schema>> {
  const known = VALIDATORS[reading].get(schema);
  if (known) return known as ValidateFunction<Static<Schema>>;
  const whole = { ...schema, components: COMPONENTS };
  const validate = ajv().compile<Static<Schema>>(reading === 'open' ? opened(whole) : whole);
  VALIDATORS[reading].set(schema, validate);
  return validate;
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

/** A decimal integer; the longest are over every maximum, so that it does not matter that a double may not hold them. */
const WHOLE_NUMBER = /^-?\d{1,16}$/;

/**
 * Converts the texts that the schema declares as integers to numbers, and splits lists at their commas. A text that is not
 * written like an integer stays a text, so that the schema rejects it.
 */
function readTexts(schema: TSchema, texts: unknown): unknown {
  if (typeof texts !== 'object' || texts === null) return texts;
  const { properties = {} } = schema as { properties?: Record<string, { type?: string }> };
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const type = properties[name]?.type;
      if (type === 'array') return [name, text.split(',').map((entry: string) => entry.trim())];
      return [name, type === 'integer' && WHOLE_NUMBER.test(text) ? Number(text) : text];
    }),
  );
}

function ajv(): Ajv2020 {
  const instance = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    // A test checks our schemas against the meta-schema; compiling that would take longer than compiling all of ours.
    meta: false,
    validateSchema: false,
    // The optimizer takes half of a compilation, which blocks the event loop, and saves 0.02 µs of a check.
    code: { optimize: false },
  });
  formats.default(instance, ['date-time', 'date']);
  instance.addVocabulary(['components', 'x-default', 'x-expected', 'x-told-by']);
  return instance;
}
