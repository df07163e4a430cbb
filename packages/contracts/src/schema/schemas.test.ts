import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { FailureSchema } from '../errors/failure.ts';
import { BROADCASTS, REQUESTS, WORK } from '../messages/message-table.ts';
import type { RouteDefinition } from '../routes/route.ts';
import { ROUTES } from '../routes/route-table.ts';
import { compileSchema } from './compile-schema.ts';
import { COMPONENTS } from './components.ts';

const messages = { ...REQUESTS, ...WORK, ...BROADCASTS };

const SCHEMAS: [string, object][] = [
  ['components', COMPONENTS],
  ['failure', { FailureSchema }],
  ...Object.entries(messages).map(([name, parts]): [string, object] => [`message ${name}`, parts]),
  ...Object.entries<RouteDefinition>(ROUTES).map(
    ([name, { query, headers, body, response }]): [string, object] => [
      `route ${name}`,
      { query, headers, body, response },
    ],
  ),
];

describe('the schemas of', () => {
  // The checks that run take them on trust.
  const metaSchema = new Ajv2020({ strict: false });

  it.each(SCHEMAS)('%s are valid JSON Schemas and can be compiled', (_name, schemas) => {
    for (const schema of Object.values(schemas).filter((part) => typeof part === 'object')) {
      expect(metaSchema.validateSchema(schema)).toBe(true);
      expect(metaSchema.errors ?? []).toEqual([]);
      expect(() => compileSchema(schema)(undefined)).not.toThrow();
    }
  });
});
