import type { jsonSchemaValidator } from '@modelcontextprotocol/server';
import { Ajv } from '@modelcontextprotocol/server/validators/ajv';

/** The fields of an error of ajv that are used here. */
interface SchemaError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly message?: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly parentSchema?: { readonly properties?: object };
}

/** Creates the check of arguments. Its message names every field that is wrong, and the fields of the tool. */
export function createValidator(): jsonSchemaValidator {
  return {
    getValidator(schema) {
      const ajv = new Ajv({ allErrors: true, strict: false, validateSchema: false, verbose: true });
      const check = ajv.compile(schema as object);
      return (input) => {
        if (check(input)) return { valid: true, data: input as never, errorMessage: undefined };
        const errors = (check.errors ?? []) as SchemaError[];
        return { valid: false, data: undefined, errorMessage: errors.map(describe).join('; ') };
      };
    },
  };
}

function describe({ instancePath, keyword, message, params, parentSchema }: SchemaError): string {
  const field = instancePath.slice(1).replaceAll('/', '.');
  if (keyword === 'required') return `${params.missingProperty} is missing`;
  if (keyword === 'additionalProperties') {
    const names = Object.keys(parentSchema?.properties ?? {}).join(', ');
    return `${params.additionalProperty} is not an argument; there is: ${names}`;
  }
  const allowed = keyword === 'enum' ? `: ${(params.allowedValues as string[]).join(', ')}` : '';
  return `${field || 'the arguments'} ${message}${allowed}`;
}
