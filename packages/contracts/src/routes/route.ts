import { type TSchema, Type } from 'typebox';
import type { ErrorCode } from '../errors/error-table.ts';
import type { Scope } from '../keys/keys.ts';
import { LIMITS } from '../limits.ts';

/** Which allowance a call counts against. */
export type RateLimitClass = 'scrape' | 'create' | 'read';

/** One route of the REST interface: all that the gateway, the OpenAPI document and clients need to know of it. */
export interface RouteDefinition {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** OpenAPI form, such as `/v1/keys/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  readonly scope: Scope;
  readonly rateLimit: RateLimitClass;
  readonly query?: TSchema;
  /** Request headers that mean something here, by their names in lower case. */
  readonly headers?: TSchema;
  readonly body?: TSchema;
  readonly maxBodyBytes?: number;
  readonly status: 200 | 201 | 202 | 204;
  /** The body of a success, where it is JSON. */
  readonly response?: TSchema;
  /** Media types of a success that is more or other than JSON: what each of them is. */
  readonly mediaTypes?: Readonly<Record<string, string>>;
  /** Headers of a success beside those that every answer has. */
  readonly responseHeaders?: readonly ('Location' | 'ETag')[];
  /** Errors of this route beside those that every route can meet. */
  readonly errors: readonly ErrorCode[];
}

/** The query of every list: newest first, a page at a time. */
export const PAGE_QUERY_PROPERTIES = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: LIMITS.maxPageSize, description: 'How many. Default 20.' }),
  ),
  offset: Type.Optional(Type.Integer({ minimum: 0, description: 'How many to skip. Default 0.' })),
};
