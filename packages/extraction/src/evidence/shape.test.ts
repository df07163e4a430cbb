import { describe, expect, it } from '@jest/globals';
import { answerSchemaOf, compileShape } from './shape.ts';

const objectOf = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const TEXT = { type: 'string' };

function errorsOf(schema: unknown) {
  const compiled = compileShape(schema, 'required');
  return 'errors' in compiled ? compiled.errors.map(({ path, message }) => `${path} ${message}`) : [];
}

describe('compileShape', () => {
  it.each([
    ['text', 'extract.schema', 'must be an object'],
    [{ type: 'array', items: TEXT }, 'extract.schema', 'must have the type "object"'],
    [{ type: 'object' }, 'extract.schema.properties', 'must name at least one field'],
    [
      objectOf({ a: { type: 'string', pattern: '^a' } }),
      'extract.schema.properties.a.pattern',
      'use a selector',
    ],
    [objectOf({ a: { oneOf: [TEXT] } }), 'extract.schema.properties.a.type', 'must be one of'],
    [
      objectOf({ a: { anyOf: [TEXT, { type: 'number' }] } }),
      'extract.schema.properties.a.anyOf',
      'only add null',
    ],
    [objectOf({ a: { type: 'boolean' } }), 'extract.schema.properties.a.type', '"evidence": "report"'],
    [
      objectOf({ a: { type: 'string', format: 'email' } }),
      'extract.schema.properties.a.format',
      'must be one of',
    ],
    [objectOf({ a: { type: 'array' } }), 'extract.schema.properties.a.items', 'must be an object'],
    [objectOf({ a: { $ref: '#/$defs/A' } }), 'extract.schema.properties.a.$ref', '"$defs"'],
    [
      objectOf({ a: { $ref: '#/$defs/A' } }, { $defs: { A: { anyOf: [{ $ref: '#/$defs/A' }] } } }),
      'extract.schema.properties.a',
      'leads to itself',
    ],
    [
      objectOf({ a: TEXT }, { additionalProperties: TEXT }),
      'extract.schema.additionalProperties',
      'must be false',
    ],
    [objectOf({ a: { ...TEXT, description: 'x'.repeat(20_000) } }), 'extract.schema', '16384 characters'],
    [
      objectOf(Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`f${index}`, TEXT]))),
      'extract.schema',
      'more than 100 fields',
    ],
  ])('%# refuses what it does not support, by its path', (schema, path, message) => {
    expect(errorsOf(schema)).toContainEqual(expect.stringContaining(message));
    expect(errorsOf(schema).join('\n')).toContain(path);
  });

  it('refuses a schema that is nested too deep, by any number of levels', () => {
    let schema: object = TEXT;
    for (let level = 0; level < 8; level += 1) schema = objectOf({ a: schema });
    expect(errorsOf(schema)).toEqual([expect.stringContaining('is nested deeper than 6 levels')]);
    for (let level = 0; level < 20_000; level += 1) schema = [schema];
    expect(errorsOf({ type: 'object', properties: schema })).toEqual([
      expect.stringContaining('16384 characters'),
    ]);
  });

  it('takes what Pydantic and Zod write', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      title: 'Shop',
      ...objectOf(
        {
          name: { anyOf: [TEXT, { type: 'null' }], default: null, title: 'Name' },
          books: { type: 'array', items: { $ref: '#/$defs/Book' } },
        },
        { required: ['name'], additionalProperties: false },
      ),
      $defs: { Book: objectOf({ pages: { type: ['integer', 'null'], description: 'Number of pages' } }) },
    };
    expect(compileShape(schema, 'required')).toEqual({
      shape: {
        kind: 'object',
        fields: [
          ['name', { kind: 'scalar', type: 'string' }],
          [
            'books',
            {
              kind: 'list',
              item: {
                kind: 'object',
                fields: [['pages', { kind: 'scalar', type: 'integer', description: 'Number of pages' }]],
              },
            },
          ],
        ],
      },
    });
  });
});

describe('answerSchemaOf', () => {
  it('asks for a quote of each value', () => {
    const compiled = compileShape(objectOf({ a: { type: 'array', items: { enum: ['x'] } } }), 'required');
    const quoted = {
      type: 'object',
      properties: {
        value: { anyOf: [{ type: 'string', enum: ['x'] }, { type: 'null' }] },
        quote: { type: ['string', 'null'] },
      },
      required: ['value', 'quote'],
      additionalProperties: false,
    };
    expect('shape' in compiled && answerSchemaOf(compiled.shape)).toEqual({
      type: 'object',
      properties: { a: { type: 'array', items: quoted } },
      required: ['a'],
      additionalProperties: false,
    });
  });
});
