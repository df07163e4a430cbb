import { type ErrorDetail, LIMITS } from '@gleaner/contracts';

/** Types of single values. */
const SCALAR_TYPES = ['string', 'number', 'integer', 'boolean'] as const;
const STRING_FORMATS = ['uri', 'date', 'date-time'] as const;

/** A single value to find on a page. */
export interface ScalarShape {
  readonly kind: 'scalar';
  readonly type: (typeof SCALAR_TYPES)[number];
  readonly format?: (typeof STRING_FORMATS)[number];
  readonly choices?: readonly string[];
  readonly description?: string;
}

/** Values to find on a page: plain data, compiled from a JSON schema. */
export type Shape =
  | ScalarShape
  | { readonly kind: 'list'; readonly item: Shape; readonly description?: string }
  | {
      readonly kind: 'object';
      readonly fields: readonly (readonly [name: string, shape: Shape])[];
      readonly description?: string;
    };

/** Treatment of a value without evidence: left out, or kept with a report. */
export type EvidenceRule = 'required' | 'report';

type Schema = Readonly<Record<string, unknown>>;

/** Keywords of schemas of any type. */
const ANNOTATIONS = ['$schema', '$id', '$defs', 'definitions', 'title', 'description', 'default', 'examples'];
/** Keywords of each type; `required` changes nothing, because a value that the page lacks is null. */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  object: ['properties', 'required', 'additionalProperties', 'propertyOrdering'],
  array: ['items'],
  string: ['format', 'enum', 'const'],
  number: [],
  integer: [],
  boolean: [],
};

const ADVICE: Readonly<Record<string, string>> = {
  pattern: 'use a selector with "pattern", which takes part of a text',
  oneOf: 'use one type; "anyOf" may only add null',
  allOf: 'write its fields into one object',
  not: 'leave it out',
  patternProperties: 'name each field in "properties"',
  minItems: 'leave it out: the list has the items that stand on the page',
  maxItems: 'leave it out: the list has the items that stand on the page',
  prefixItems: 'use an object with a field for each item',
  minimum: 'leave it out and check the value where you use it',
  maximum: 'leave it out and check the value where you use it',
};

/** Result of compiling a schema: its shape, or every error by path. */
export type CompiledSchema = { readonly shape: Shape } | { readonly errors: readonly ErrorDetail[] };

/** Compiles the JSON schema of a request; errors name keywords outside of the subset by their path. */
export function compileShape(
  schema: unknown,
  evidence: EvidenceRule,
  path = 'extract.schema',
): CompiledSchema {
  if (!isSmall(schema))
    return {
      errors: [
        {
          path,
          message: `must have at most ${LIMITS.maxExtractSchemaLength} characters as JSON: ask for fewer fields`,
        },
      ],
    };
  const compiling = new Compiling(isObject(schema) ? schema : {}, evidence);
  const shape = compiling.compile(schema, path, 0);
  if (compiling.errors.length > 0) return { errors: compiling.errors };
  if (shape.kind === 'object') return { shape };
  return {
    errors: [
      { path, message: 'must have the type "object": each of its properties becomes a field of data' },
    ],
  };
}

/** Returns true for a schema within its limit, of any depth: it is not written as JSON, which could overflow the stack. */
function isSmall(schema: unknown): boolean {
  const waiting: unknown[] = [schema];
  let left: number = LIMITS.maxExtractSchemaLength;
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    left -= typeof value === 'string' ? value.length + 2 : 2;
    if (left < 0) return false;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      left -= Array.isArray(value) ? 1 : name.length + 3;
      if (inner !== undefined) waiting.push(inner);
      if (left < 0) return false;
    }
  }
  return true;
}

const NOTHING: Shape = { kind: 'object', fields: [] };
/** References and alternatives that are followed to one type. */
const MAX_HOPS = 4;
/** Errors that are told at once. */
const MAX_ERRORS = 20;

class Compiling {
  readonly errors: ErrorDetail[] = [];
  readonly #root: Schema;
  readonly #evidence: EvidenceRule;
  #fields = 0;

  constructor(root: Schema, evidence: EvidenceRule) {
    this.#root = root;
    this.#evidence = evidence;
  }

  compile(given: unknown, path: string, depth: number): Shape {
    if (!isObject(given)) return this.#refuse(path, 'must be an object such as {"type": "string"}');
    if (depth > LIMITS.maxExtractDepth)
      return this.#refuse(path, `is nested deeper than ${LIMITS.maxExtractDepth} levels: flatten the schema`);
    const schema = this.#resolve(given, path);
    if (!schema) return NOTHING;
    const type = typeOf(schema);
    const keywords = type === undefined ? undefined : KEYWORDS[type];
    if (type === undefined || !keywords)
      return this.#refuse(
        `${path}.type`,
        `must be one of ${Object.keys(KEYWORDS).join(', ')}, alone or with null`,
      );
    for (const keyword of Object.keys(schema)) {
      if (keyword === 'type' || ANNOTATIONS.includes(keyword) || keywords.includes(keyword)) continue;
      this.#refuse(
        `${path}.${keyword}`,
        `is not supported in a ${type}: ${ADVICE[keyword] ?? 'leave it out'}`,
      );
    }
    const description = typeof schema.description === 'string' ? { description: schema.description } : {};
    if (type === 'array')
      return {
        kind: 'list',
        item: this.compile(schema.items, `${path}.items`, depth + 1),
        ...description,
      };
    if (type === 'object') return { ...this.#compileObject(schema, path, depth), ...description };
    return { ...this.#compileScalar(schema, type as ScalarShape['type'], path), ...description };
  }

  #compileObject(schema: Schema, path: string, depth: number): Extract<Shape, { kind: 'object' }> {
    const { properties, additionalProperties = false } = schema as {
      properties?: unknown;
      additionalProperties?: unknown;
    };
    if (isObject(additionalProperties))
      this.#refuse(`${path}.additionalProperties`, 'must be false: name each field in "properties"');
    if (!isObject(properties) || Object.keys(properties).length === 0) {
      this.#refuse(`${path}.properties`, 'must name at least one field');
      return { kind: 'object', fields: [] };
    }
    const fields = Object.entries(properties).map(([name, field]) => {
      this.#fields += 1;
      if (name === '' || name.length > 100)
        this.#refuse(`${path}.properties`, 'must have names of 1 to 100 characters');
      if (this.#fields > LIMITS.maxExtractFields) return [name, NOTHING] as const;
      return [name, this.compile(field, `${path}.properties.${name}`, depth + 1)] as const;
    });
    if (this.#fields > LIMITS.maxExtractFields)
      this.#refuse(path, `has more than ${LIMITS.maxExtractFields} fields: ask for fewer`);
    return { kind: 'object', fields };
  }

  #compileScalar(schema: Schema, type: ScalarShape['type'], path: string): ScalarShape {
    if (type === 'boolean' && this.#evidence === 'required') {
      this.#refuse(
        `${path}.type`,
        'cannot be boolean: true and false do not stand on a page; ask for the words that decide it as a string, or set "evidence": "report"',
      );
    }
    const { format, enum: listed, const: only } = schema;
    if (format !== undefined && !STRING_FORMATS.includes(format as never))
      this.#refuse(`${path}.format`, `must be one of ${STRING_FORMATS.join(', ')}, or left out`);
    const choices = only === undefined ? listed : [only];
    const isList =
      Array.isArray(choices) && choices.length > 0 && choices.every((each) => typeof each === 'string');
    if (choices !== undefined && !isList) this.#refuse(`${path}.enum`, 'must list texts');
    return {
      kind: 'scalar',
      type,
      ...(format !== undefined && { format: format as NonNullable<ScalarShape['format']> }),
      ...(isList && { choices: choices as readonly string[] }),
    };
  }

  /** Follows a reference to a definition of the schema, and takes null out of its alternatives. */
  #resolve(schema: Schema, path: string, hops = 0): Schema | undefined {
    const { $ref: reference, anyOf, ...rest } = schema;
    if (hops > MAX_HOPS) {
      this.#refuse(path, 'leads to itself: write its fields instead of the references');
      return undefined;
    }
    if (typeof reference === 'string') {
      const [, group = '', name = ''] = /^#\/(\$defs|definitions)\/([^/]{1,200})$/.exec(reference) ?? [];
      const definitions = this.#root[group];
      const definition =
        isObject(definitions) && Object.hasOwn(definitions, name) ? definitions[name] : undefined;
      if (isObject(definition) && definition.$ref === undefined)
        return this.#resolve({ ...definition, ...rest }, path, hops + 1);
      this.#refuse(`${path}.$ref`, 'must lead to a schema in "$defs", such as "#/$defs/Book"');
      return undefined;
    }
    if (anyOf === undefined) return schema;
    const others = Array.isArray(anyOf)
      ? anyOf.filter((each) => !isObject(each) || each.type !== 'null')
      : [];
    const [first] = others;
    if (others.length === 1 && isObject(first) && first.anyOf === undefined)
      return this.#resolve({ ...first, ...rest }, path, hops + 1);
    this.#refuse(`${path}.anyOf`, 'may only add null to one type: use one type');
    return undefined;
  }

  #refuse(path: string, message: string): Shape {
    if (this.errors.length < MAX_ERRORS) this.errors.push({ path, message });
    return NOTHING;
  }
}

/** Returns the type of a schema besides null; that of an enumeration or of properties without one. */
function typeOf({ type, enum: listed, const: only, properties }: Schema): string | undefined {
  if (type === undefined) {
    if (isObject(properties)) return 'object';
    return listed === undefined && only === undefined ? undefined : 'string';
  }
  const types = (Array.isArray(type) ? type : [type]).filter((each) => each !== 'null');
  return types.length === 1 && typeof types[0] === 'string' && Object.hasOwn(KEYWORDS, types[0])
    ? types[0]
    : undefined;
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the JSON schema of the answer of a model: each single value with the quote that shows it. */
export function answerSchemaOf(shape: Shape): object {
  const described = shape.description === undefined ? {} : { description: shape.description };
  switch (shape.kind) {
    case 'list':
      return { ...described, type: 'array', items: answerSchemaOf(shape.item) };
    case 'object':
      return {
        ...described,
        ...closed(Object.fromEntries(shape.fields.map(([name, field]) => [name, answerSchemaOf(field)]))),
      };
    case 'scalar':
      return {
        ...described,
        ...closed({
          value: shape.choices
            ? { anyOf: [{ type: 'string', enum: shape.choices }, { type: 'null' }] }
            : { type: [shape.type, 'null'] },
          quote: { type: ['string', 'null'] },
        }),
      };
  }
}

function closed(properties: Readonly<Record<string, object>>): object {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}
