/** Serves pages that scripts build, from a process of its own: `/small/<n>` by itself, `/app/<n>` with style, script and data. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const ROWS = 40;
const SCRIPT = `function show(rows) {
  document.querySelector('main').innerHTML = rows.map(({ name, price }) =>
    '<article class=row><h2>' + name + '</h2><p class=price>' + price + '</p></article>').join('');
  document.title = rows.length + ' rows';
}`;

const server = createServer({ keepAlive: true, noDelay: true }, (request, response) => {
  const [type, body] = answer(request.url ?? '/');
  response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ type: 'ready', ports: { http: port } });
});
process.once('disconnect', () => process.exit(0));
process.once('SIGTERM', () => process.exit(0));

function answer(path: string): [string, string] {
  const [, kind, name = ''] = path.split('/');
  if (kind === 'small')
    return ['text/html; charset=utf-8', page(`<script>${SCRIPT};show(${data(name)})</script>`)];
  if (kind === 'app') return ['text/html; charset=utf-8', page(`<script src="/app.js"></script>`)];
  if (kind === 'app.js')
    return [
      'text/javascript',
      `${SCRIPT};fetch('/data/' + location.pathname.split('/')[2]).then((r) => r.json()).then(show)`,
    ];
  if (kind === 'style.css')
    return ['text/css', 'article { border: 1px solid; margin: 1em } h2 { color: navy }'];
  return ['application/json', data(name)];
}

function page(script: string): string {
  return `<!doctype html><html lang="en"><head><title>Loading</title><link rel="stylesheet" href="/style.css"></head><body><main></main>${script}</body></html>`;
}

function data(name: string): string {
  return JSON.stringify(
    Array.from({ length: ROWS }, (_, row) => ({ name: `Row ${row} of ${name}`, price: `${row}.90` })),
  );
}
