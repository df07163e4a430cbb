import type { components, operations } from './generated/openapi.ts';
import type { OPERATIONS } from './generated/operations.ts';

/** Name of an operation of the API, such as `createJob`. */
export type OperationName = keyof typeof OPERATIONS;

/** Code of an error of the API, such as `INVALID_URL`. */
export type ApiErrorCode = components['schemas']['ErrorResponse']['error']['code'];

type Json<Content> = Content extends { 'application/json': infer Body } ? Body : undefined;
type Success<Responses> = {
  [Status in keyof Responses]: Responses[Status] extends { content: infer Content }
    ? Json<Content>
    : undefined;
}[keyof Responses];

/** Body of an operation; `undefined` when it takes none. */
export type BodyOf<Name extends OperationName> = operations[Name] extends {
  requestBody?: { content: infer Content };
}
  ? Json<Content>
  : undefined;

/** The same fields; an optional one may also be undefined, which is not sent. */
export type Loose<Fields> = {
  [Name in keyof Fields]: object extends Pick<Fields, Name> ? Fields[Name] | undefined : Fields[Name];
};

/** Query of an operation. */
export type QueryOf<Name extends OperationName> = Loose<NonNullable<operations[Name]['parameters']['query']>>;

/** JSON of an operation that succeeded; `undefined` without a body. */
export type ResultOf<Name extends OperationName> = Success<operations[Name]['responses']>;

type PathOf<Name extends OperationName> = NonNullable<operations[Name]['parameters']['path']>;

/** Everything that one call of an operation sends. */
export type InputOf<Name extends OperationName> = ([PathOf<Name>] extends [never]
  ? { readonly path?: undefined }
  : { readonly path: PathOf<Name> }) &
  (operations[Name] extends { requestBody: { content: infer Content } }
    ? { readonly body: Json<Content> }
    : { readonly body?: BodyOf<Name> | undefined }) & {
    readonly query?: QueryOf<Name> | undefined;
    /** Further request headers. */
    readonly headers?: Readonly<Record<string, string>> | undefined;
  };

/** Options of one call. */
export interface CallOptions {
  /** Cancels the call; the promise is rejected with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Bound on the whole call with its retries; on streams, on every wait for more. Default: that of the client. */
  readonly timeoutMs?: number | undefined;
  /** Retries after the first attempt. Default: that of the client. */
  readonly maxRetries?: number | undefined;
}

/** Options of a call that creates something once, however often it is sent. */
export interface CreateOptions extends CallOptions {
  /** Names what is created. Default: a new random one for each call, the same for its retries. */
  readonly idempotencyKey?: string | undefined;
}

/** Returns the idempotency key header of a call that creates a resource. */
export function keyOf({ idempotencyKey }: CreateOptions): Record<string, string> {
  return idempotencyKey ? { 'idempotency-key': idempotencyKey } : {};
}
