import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ROUTES,
  type RouteBody,
  type RouteName,
  type RouteQuery,
  type RouteResponse,
} from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { OPERATIONS } from '../src/generated/operations.ts';
import type { BodyOf, OperationName, QueryOf, ResultOf } from '../src/index.ts';

/**
 * Every path in a type with what stands there, and whether it is optional: a union that the compiler compares as a
 * whole. It would take two nested recursive types for equal as soon as they are some levels deep.
 */
type Leaves<Type, Path extends string = '', Depth extends 0[] = []> = Depth['length'] extends 8
  ? never
  : Type extends string | number | boolean | null | undefined
    ? [Path, Type]
    : unknown extends Type
      ? [Path, 'any JSON']
      : Type extends readonly (infer Item)[]
        ? Leaves<Item, `${Path}[]`, [...Depth, 0]>
        : {
            [Name in keyof Type & string]-?:
              | [`${Path}.${Name}`, object extends Pick<Type, Name> ? 'optional' : 'required']
              | Leaves<AnyJson<Exclude<Type[Name], undefined>>, `${Path}.${Name}`, [...Depth, 0]>;
          }[keyof Type & string];

/** Values of a page can be any JSON: the OpenAPI document says no more of them. */
type AnyJson<Type> = [Extract<Type, readonly unknown[]>] extends [never]
  ? Type
  : [Extract<Type, number>] extends [never]
    ? Type
    : unknown;

type Equal<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;

/** For every route: whether body, query and response of the client are those of the contracts. */
type Comparison = {
  [Name in RouteName & OperationName]: {
    body: Equal<Leaves<BodyOf<Name>>, Leaves<RouteBody<Name>>>;
    query: Equal<Leaves<RawQuery<Name>>, Leaves<RouteQuery<Name>>>;
    response: Equal<Leaves<ResultOf<Name>>, Leaves<RouteResponse<Name>>>;
  };
};
type RawQuery<Name extends OperationName> = [QueryOf<Name>] extends [never] ? undefined : QueryOf<Name>;
type AllEqual = { [Name in RouteName]: { body: true; query: true; response: true } };

describe('the generated types of the client', () => {
  it('are those of the contracts for every route, which the compiler checks', () => {
    const compared = (comparison: Comparison): AllEqual => comparison;
    expect(compared).toBeInstanceOf(Function);
  });

  it('name every route with its method and path', () => {
    expect(OPERATIONS).toMatchObject(
      Object.fromEntries(
        Object.entries(ROUTES).map(([name, { method, path }]) => [
          name,
          { method: method.toUpperCase(), path },
        ]),
      ),
    );
  });

  it('have a method for every operation (else: add one in src/resources)', () => {
    const src = join(import.meta.dirname, '../src');
    const files = globSync(['*.ts', 'resources/*.ts'], { cwd: src });
    const source = files.map((file) => readFileSync(join(src, file), 'utf8')).join('\n');
    const missing = Object.keys(OPERATIONS).filter(
      (name) => !new RegExp(`(call|open)\\(\\s*'${name}'`).test(source),
    );
    expect(missing).toEqual([]);
  });
});
