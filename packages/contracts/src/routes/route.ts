import type { TSchema } from 'typebox';
import type { Scope } from '../access/keys.ts';
import type { ErrorCode } from '../errors/error-table.ts';
import { LIMITS } from '../limits.ts';
import { Type } from '../type.ts';

/** Rate limit that a call counts against. */
export type RateLimitClass = 'scrape' | 'create' | 'read' | 'extract';

/** One route of the REST interface, as the gateway, the OpenAPI document and clients use it. */
export interface RouteDefinition {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** OpenAPI form, such as `/v1/keys/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  /** Scope required of the key; `any` for a route open to every key. */
  readonly scope: Scope | 'any';
  /** The token of the feeds of the schedule, in the query, opens the route without an API key. */
  readonly opensWithToken?: true;
  readonly rateLimit: RateLimitClass;
  /** Rate limits of calls that set a query parameter to `true`, by its name. */
  readonly rateLimitWith?: Readonly<Record<string, RateLimitClass>>;
  readonly query?: TSchema;
  /** Request headers that the route reads, named in lower case. */
  readonly headers?: TSchema;
  readonly body?: TSchema;
  /** A request without a body counts as one with `{}`. */
  readonly bodyIsOptional?: boolean;
  /** Valid body that works as it stands, shown in the OpenAPI document. */
  readonly bodyExample?: object;
  /** Further bodies like it, by name, each with a title. */
  readonly moreExamples?: Readonly<Record<string, { readonly summary: string; readonly value: object }>>;
  readonly maxBodyBytes?: number;
  /** Bytes of the longest text in the body, as JSON writes it. */
  readonly maxTextBytes?: number;
  readonly status: 200 | 201 | 202 | 204;
  /** A second status of success, with its description. The body has the same schema, and `Location` names what was created. */
  readonly otherStatus?: { readonly status: 202; readonly description: string };
  /** The body of a success, where it is JSON. */
  readonly response?: TSchema;
  /** Media types of a success besides JSON, with a description of each. */
  readonly mediaTypes?: Readonly<Record<string, string>>;
  /** Headers of a success besides the common ones. */
  readonly responseHeaders?: readonly ('Content-Disposition' | 'Location' | 'ETag' | 'Last-Modified')[];
  /** Errors of this route besides the common ones. */
  readonly errors: readonly ErrorCode[];
}

/** Query parameters of every list, which is newest first and paginated. */
export const PAGE_QUERY_PROPERTIES = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: LIMITS.maxPageSize, description: 'Number of entries. Default 20.' }),
  ),
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: LIMITS.maxOffset,
      description: 'Number of entries to skip. Default 0.',
    }),
  ),
};
