import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Static, TSchema } from 'typebox';
import type { ErrorDetail } from '../errors/app-error.ts';
import { COMPONENTS } from './components.ts';
import { describeFaults } from './describe-faults.ts';
import { readTexts } from './read-texts.ts';

/** What a check finds: the value with its type, or every fault. */
export type Checked<Value> = { ok: true; value: Value } | { ok: false; details: ErrorDetail[] };

/** Checks a value against the schema that it was compiled from. */
export type Check<Value> = (value: unknown) => Checked<Value>;

/** Whether values are taken as they are (JSON bodies, messages) or read from text (query strings). */
export type Reading = 'exact' | 'from-text';

/**
 * A check that lists all faults in words for people. The schema is compiled at its first use, so that a process pays
 * for what it checks alone; a broken one throws then.
 */
export function compileSchema<Schema extends TSchema>(
  schema: Schema,
  reading: Reading = 'exact',
): Check<Static<Schema>> {
  let validate: ValidateFunction<Static<Schema>> | undefined;
  return (given) => {
    const value = reading === 'exact' ? given : readTexts(schema, given);
    validate ??= ajv().compile<Static<Schema>>({ ...schema, components: { schemas: COMPONENTS } });
    if (validate(value)) return { ok: true, value };
    return {
      ok: false,
      details: describeFaults(validate.errors ?? [], reading === 'exact' ? 'value' : 'texts'),
    };
  };
}

function ajv(): Ajv2020 {
  const instance = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: true,
    allowUnionTypes: true,
    // Ours are held against the meta-schema by a test; compiling that takes longer than compiling all of them.
    meta: false,
    validateSchema: false,
  });
  formats.default(instance, ['date-time', 'date']);
  instance.addVocabulary(['components', 'x-expected']);
  return instance;
}
