import type { Static } from 'typebox';
import { defined } from '../defined.ts';
import { LIMITS } from '../limits.ts';
import { MapOf, OneOf } from '../map-of.ts';
import { Type } from '../type.ts';
import { option } from './option.ts';

/** Methods that a request may have. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/** The forms that a body can be given in; a request has one of them at most. */
export const BODY_FORMS = ['body', 'json', 'form'] as const;

const FormValueSchema = Type.Unsafe<string | number | boolean>({
  anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }],
  'x-expected': 'a text, a number, true or false',
});

/** Method and body of a request. */
export const REQUEST_PROPERTIES = {
  method: Type.Optional(
    OneOf(METHODS, {
      description:
        'Method of the request. Any but GET, and any body, is sent by the plain engine, without a browser. Default GET; POST with a body.',
    }),
  ),
  body: Type.Optional(
    Type.String({
      description:
        'Text to send as the body, at most 64 KiB, as `text/plain` unless `headers` has a `Content-Type`. One of `body`, `json` and `form`.',
    }),
  ),
  json: Type.Optional(
    Type.Unknown({
      description:
        'Value to send as JSON, at most 64 KiB, as `application/json` unless `headers` has a `Content-Type`.',
      examples: [{ query: 'kettle', page: 1 }],
    }),
  ),
  form: Type.Optional(
    MapOf(
      Type.Unsafe<string | number | boolean | (string | number | boolean)[]>({
        anyOf: [
          { type: 'string' },
          { type: 'number' },
          { type: 'boolean' },
          { type: 'array', items: FormValueSchema },
        ],
        'x-expected': 'a text, a number, true, false, or a list of these',
      }),
      {
        description:
          'Fields to send as an HTML form does, at most 64 KiB; a list sends its field once for each value.',
        examples: [{ q: 'kettle', category: ['kitchen', 'outdoor'] }],
      },
    ),
  ),
};

/** Method and body of a request, as they were given. */
export type RequestParts = {
  readonly method?: Method;
  readonly body?: string;
  readonly json?: unknown;
  readonly form?: Static<(typeof REQUEST_PROPERTIES)['form']>;
};

/** Options for the request of a page. */
export const REQUEST_OPTIONS = {
  method: option({
    schema: REQUEST_PROPERTIES.method,
    isOfRequest: true,
    off: 'GET',
    needs: 'http',
    flags: {
      '--method <method>': { help: 'method of the request; default GET, POST with a body', group: 'Request' },
    },
  }),
  body: option({ schema: REQUEST_PROPERTIES.body, isOfRequest: true, needs: 'http' }),
  json: option({ schema: REQUEST_PROPERTIES.json, isOfRequest: true, needs: () => 'http' }),
  form: option({ schema: REQUEST_PROPERTIES.form, isOfRequest: true, needs: 'http' }),
  repeatable: option({
    schema: Type.Boolean({
      description:
        'Whether the request may reach the site twice, as a search may. Otherwise no request but GET and HEAD is sent again once bytes of it were sent: not after a broken connection, an error of the site or a lost worker. Where it is not known what became of it, the error is OUTCOME_UNKNOWN. Default false.',
    }),
    isOfRequest: true,
    flags: { '--repeatable': { help: 'the request may be sent twice, as a search may', group: 'Request' } },
  }),
};

/** Body of a request as it is sent. */
export interface EncodedBody {
  readonly text: string;
  /** Unless the headers of the request name another one. */
  readonly contentType: string;
}

/** Returns the forms of a body that a request has. */
export function bodyFormsOf(parts: RequestParts): (typeof BODY_FORMS)[number][] {
  return BODY_FORMS.filter((name) => parts[name] !== undefined);
}

/** Returns the method of a request. */
export function methodOf(parts: RequestParts): Method {
  return parts.method ?? (bodyFormsOf(parts).length > 0 ? 'POST' : 'GET');
}

/** Returns whether a request is the one that a browser makes for a URL: a GET without a body. */
export function isPlainGet(parts: RequestParts): boolean {
  return methodOf(parts) === 'GET' && bodyFormsOf(parts).length === 0;
}

/** Returns whether a request may be sent again after bytes of it were sent. */
export function mayRepeat(request: RequestParts & { readonly repeatable?: boolean }): boolean {
  const method = methodOf(request);
  return method === 'GET' || method === 'HEAD' || request.repeatable === true;
}

/** Returns the body of a request as it is sent; undefined without one. */
export function encodeBody({ body, json, form }: RequestParts): EncodedBody | undefined {
  if (json !== undefined) return { text: JSON.stringify(json), contentType: 'application/json' };
  if (form) return { text: encodeForm(form), contentType: 'application/x-www-form-urlencoded' };
  return body === undefined ? undefined : { text: body, contentType: 'text/plain;charset=UTF-8' };
}

/** Returns what tells a request from others for the same URL: its method and its body; '' for a plain GET. */
export function requestKey(parts: RequestParts): string {
  if (isPlainGet(parts)) return '';
  const { text = '', contentType = '' } = encodeBody(parts) ?? {};
  return `${methodOf(parts)} ${contentType} ${text}`;
}

/** Returns method and body of a request that has other fields; undefined of a plain GET. */
export function requestPartsOf({ method, body, json, form }: RequestParts): RequestParts | undefined {
  const parts = {
    ...defined({ method, body, json, form }),
  };
  return isPlainGet(parts) ? undefined : parts;
}

/** Returns the errors of a request whose method and body do not go together, as names of fields and messages. */
export function findRequestErrors(
  parts: RequestParts,
): { readonly path: string; readonly message: string }[] {
  const [first, ...others] = bodyFormsOf(parts);
  const { method } = parts;
  const isBodiless = method === 'GET' || method === 'HEAD';
  if (first !== undefined && isBodiless) {
    return [{ path: first, message: `cannot be sent with ${method}: use POST, PUT, PATCH or DELETE` }];
  }
  const repeated = others.map((path) => ({ path, message: `must be left out when ${first} is given` }));
  const bytes = new TextEncoder().encode(encodeBody(parts)?.text ?? '').length;
  const isTooLong = first !== undefined && bytes > LIMITS.maxRequestBodyBytes;
  const message = `has ${bytes} bytes; at most ${LIMITS.maxRequestBodyBytes} can be sent`;
  return [...repeated, ...(isTooLong ? [{ path: first, message }] : [])];
}

function encodeForm(form: NonNullable<RequestParts['form']>): string {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(form)) {
    for (const each of Array.isArray(value) ? value : [value]) fields.append(name, String(each));
  }
  return fields.toString();
}
