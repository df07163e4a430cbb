import { describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { ERROR_TABLE } from '../errors/error-table.ts';
import type { RouteDefinition } from '../routes/route.ts';
import { ROUTES } from '../routes/route-table.ts';
import { compileSchema } from '../schema/compile-schema.ts';
import { COMPONENTS } from '../schema/components.ts';
import { buildOpenApi } from './build-openapi.ts';
import { errorsOf } from './describe-errors.ts';

const openApi = buildOpenApi({ version: '1.2.3', serverUrl: '/' });
const text = JSON.stringify(openApi);

/** Returns the bodies that the document shows for an operation. */
function examplesAt(document: object, path: string, method: string): unknown[] {
  const content = at(document, 'paths', path, method, 'requestBody', 'content', 'application/json');
  const { example, examples } = content as {
    example?: unknown;
    examples?: Record<string, { value: unknown }>;
  };
  return examples ? Object.values(examples).map(({ value }) => value) : [example];
}

describe('buildOpenApi', () => {
  it('builds a document that the OpenAPI 3.1 meta-schema accepts', async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(text));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  it('is tested with a check that rejects a broken document', async () => {
    const { valid } = await new Validator().validate({ ...JSON.parse(text), paths: { 'v1/scrape': 7 } });
    expect(valid).toBe(false);
  });

  it('has a field for each switch that is described as on by default', () => {
    const switches = schemasIn(openApi).filter(({ type }) => type === 'boolean');
    const described = switches.filter(({ description }) => /Default true\.$/.test(String(description)));
    expect(described.length).toBeGreaterThan(2);
    expect(switches.filter((schema) => schema['x-default'] === true)).toEqual(described);
  });

  it('refers only to declared components', () => {
    const references = [...text.matchAll(/"\$ref":"#([^"]+)"/g)].map(([, pointer]) => pointer ?? '');
    expect(references.length).toBeGreaterThan(10);
    for (const pointer of references) expect([pointer, resolve(pointer)]).not.toEqual([pointer, undefined]);
  });

  it('defines every component once and refers to it everywhere else', () => {
    const schema = at(openApi, 'paths', '/v1/scrape', 'post', 'requestBody', 'content', 'application/json');
    expect(schema).toMatchObject({ schema: { $ref: '#/components/schemas/ScrapeRequest' } });
    expect(at(openApi, 'components', 'schemas', 'ScrapeRequest', 'properties', 'cookies', 'items')).toEqual({
      $ref: '#/components/schemas/Cookie',
    });
    expect(Object.keys(at(openApi, 'components', 'schemas') as object)).toEqual(Object.keys(COMPONENTS));
    expect(text).not.toContain('x-expected');
  });

  it.each(Object.entries<RouteDefinition>(ROUTES))(
    'describes %s with its scope, its parameters and its errors',
    (name, route) => {
      const operation = at(openApi, 'paths', route.path, route.method) as { parameters: { name: string }[] };
      expect(operation).toMatchObject({
        operationId: name,
        security: [
          { apiKey: route.scope === 'any' ? [] : [route.scope] },
          ...(route.opensWithToken ? [{ feedToken: [] }] : []),
        ],
      });
      const pathNames = route.path.match(/(?<=\{)\w+/g) ?? [];
      const queryNames = Object.keys((route.query as { properties?: object } | undefined)?.properties ?? {});
      const headerNames = Object.keys(
        (route.headers as { properties?: object } | undefined)?.properties ?? {},
      );
      const { parameters } = operation;
      expect(parameters.map((parameter) => parameter.name)).toEqual([
        ...pathNames,
        ...queryNames,
        ...headerNames,
      ]);
      for (const code of errorsOf(route)) {
        expect(at(operation, 'responses', String(ERROR_TABLE[code].httpStatus), 'description')).toContain(
          code,
        );
      }
    },
  );

  it('says that lists in a query are separated by commas', () => {
    const { parameters } = at(openApi, 'paths', '/v1/jobs/{id}/results', 'get') as { parameters: object[] };
    expect(parameters).toContainEqual(
      expect.objectContaining({ name: 'verdict', in: 'query', style: 'form', explode: false }),
    );
  });

  it('shows examples of errors that match its own Error schema', () => {
    const check = compileSchema(COMPONENTS.Error as never);
    const { responses } = at(openApi, 'paths', '/v1/scrape', 'post') as { responses: Record<string, object> };
    const examples = Object.entries(responses)
      .filter(([status]) => Number(status) >= 400)
      .flatMap(([, response]) =>
        Object.values(
          at(response, 'content', 'application/json', 'examples') as Record<string, { value: unknown }>,
        ),
      );
    expect(examples).toHaveLength(errorsOf(ROUTES.scrape).length);
    for (const { value } of examples) expect(check(value)).toMatchObject({ ok: true });
  });

  it.each(Object.entries<RouteDefinition>(ROUTES).filter(([, { body }]) => body))(
    'shows a body for %s that its schema accepts and whose URLs are valid',
    (_name, { path, method, body, bodyExample, moreExamples = {} }) => {
      const values = [bodyExample, ...Object.values(moreExamples).map(({ value }) => value)];
      expect(examplesAt(openApi, path, method)).toEqual(values);
      for (const value of values) {
        expect(compileSchema(body as never)(value)).toMatchObject({ ok: true });
        const { url, urls = [] } = value as { url?: string; urls?: string[] };
        for (const each of [...urls, ...(url ? [url] : [])]) expect(URL.canParse(each)).toBe(true);
      }
    },
  );

  it('shows bodies about the page that it is given', () => {
    const document = buildOpenApi({ version: '1', serverUrl: '/', exampleUrl: 'http://127.0.0.1:8090' });
    const bodyAt = (path: string) => examplesAt(document, path, 'post')[0];
    expect(bodyAt('/v1/scrape')).toMatchObject({ url: 'http://127.0.0.1:8090/' });
    expect(bodyAt('/v1/jobs')).toMatchObject({
      urls: ['http://127.0.0.1:8090/', 'http://127.0.0.1:8090/?page=2'],
    });
    expect(JSON.stringify(examplesAt(document, '/v1/jobs', 'post'))).not.toContain('example.com');
    expect(JSON.stringify(bodyAt('/v1/schedules'))).not.toContain('example.com');
  });

  it('tells results of pages apart by named alternatives that exclude each other', () => {
    expect(at(openApi, 'components', 'schemas', 'PageResult', 'oneOf')).toEqual([
      { $ref: '#/components/schemas/PageSuccess' },
      { $ref: '#/components/schemas/PageFailure' },
    ]);
    const properties = ['PageSuccess', 'PageFailure'].map((name) =>
      Object.keys(at(openApi, 'components', 'schemas', name, 'properties') as object),
    );
    expect(properties[0]).not.toContain('error');
    expect(properties[1]).not.toContain('metadata');
    expect(at(openApi, 'components', 'schemas', 'PageFailure', 'properties', 'data')).toEqual({
      type: 'null',
    });
  });

  it('describes the health probes, which need no key', () => {
    for (const path of ['/livez', '/readyz']) {
      expect(at(openApi, 'paths', path, 'get')).toMatchObject({ security: [], responses: { 200: {} } });
    }
  });

  it('declares the response headers', () => {
    expect(at(openApi, 'paths', '/v1/scrape', 'post', 'responses', '200', 'headers')).toEqual({
      'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
      'RateLimit-Limit': { $ref: '#/components/headers/RateLimit-Limit' },
      'RateLimit-Remaining': { $ref: '#/components/headers/RateLimit-Remaining' },
      'RateLimit-Reset': { $ref: '#/components/headers/RateLimit-Reset' },
      'RateLimit-Policy': { $ref: '#/components/headers/RateLimit-Policy' },
      RateLimit: { $ref: '#/components/headers/RateLimit' },
    });
    for (const status of ['429', '503']) {
      const headers = at(openApi, 'paths', '/v1/usage', 'get', 'responses', status, 'headers');
      expect(headers).toHaveProperty(['Retry-After']);
    }
  });
});

function resolve(pointer: string): unknown {
  return at(openApi, ...pointer.split('/').slice(1));
}

function at(value: unknown, ...path: string[]): unknown {
  return path.reduce((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);
}

/** Returns every object in a document. */
function schemasIn(part: unknown): Record<string, unknown>[] {
  if (typeof part !== 'object' || part === null) return [];
  const inside = Object.values(part).flatMap(schemasIn);
  return Array.isArray(part) ? inside : [part as Record<string, unknown>, ...inside];
}
