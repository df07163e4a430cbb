import { createServer, type ServerResponse } from 'node:http';
import { brotliCompressSync, constants } from 'node:zlib';

/** Hostile pages by path; `/` is an ordinary page. */
export const HOSTILE_PATHS = ['/bomb', '/deep', '/endless', '/wide'] as const;

/** A loopback site whose pages are built once, so that serving them costs almost nothing. */
export interface HostileOrigin {
  readonly port: number;
}

const ELEMENTS = 200_000;
const HONEST_PAGE = '<!doctype html><title>Shop</title><h1>An honest shop</h1><p class="price">19.90</p>';

/** Starts the site on a free port. */
export async function startHostileOrigin(): Promise<HostileOrigin> {
  const bodies: Readonly<Record<string, Buffer>> = {
    '/': Buffer.from(HONEST_PAGE),
    '/bomb': bomb(),
    '/deep': deepPage(),
    '/wide': widePage(),
  };
  const server = createServer((request, response) => {
    const body = bodies[request.url ?? ''];
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (request.url === '/bomb') response.setHeader('content-encoding', 'br');
    if (body) response.end(body);
    else sendForEver(response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  return { port: typeof address === 'object' && address ? address.port : 0 };
}

/** 1 GiB of zeros in some 900 bytes. */
function bomb(): Buffer {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN } = constants;
  const params = { [BROTLI_PARAM_QUALITY]: 3, [BROTLI_PARAM_LGWIN]: 24 };
  return brotliCompressSync(Buffer.alloc(1024 ** 3), { params });
}

/** Nested elements, just under the size limit of a page. */
function deepPage(): Buffer {
  const open = `<div class="${'d'.repeat(33)}">`;
  return Buffer.from(`<!doctype html><title>Deep</title>${open.repeat(ELEMENTS)}<b>bottom</b>`);
}

/** Sibling elements, just under the size limit of a page. */
function widePage(): Buffer {
  const rows = Array.from(
    { length: ELEMENTS },
    (_, index) => `<p class="row" id="r${index}">Row ${index} of too many`,
  );
  return Buffer.from(`<!doctype html><title>Wide</title>${rows.join('')}`);
}

/** Sends bytes until the client disconnects. */
function sendForEver(response: ServerResponse): void {
  const chunk = Buffer.alloc(65_536, '<p>more</p>');
  const send = () => {
    while (!response.destroyed && response.write(chunk)) {}
  };
  response.on('drain', send);
  send();
}
