import type { Exchange, OriginRoute } from './behavior.ts';

type Body = string | Uint8Array;

/** A document of a site. */
export interface SiteDocument {
  /** A function makes the body of each request. */
  readonly body: Body | ((exchange: Exchange) => Body);
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly status?: number;
}

/** Returns the routes of a site with these documents by path, which are HTML unless their headers say otherwise. */
export function routesOf(documents: Readonly<Record<string, string | SiteDocument>>): OriginRoute[] {
  return Object.entries(documents).map(([path, given]) => {
    const { body, headers, status = 200 }: SiteDocument = typeof given === 'string' ? { body: given } : given;
    return {
      path,
      behavior: (exchange) => {
        const sent = typeof body === 'function' ? body(exchange) : body;
        exchange.response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers });
        exchange.response.end(sent);
      },
    };
  });
}
