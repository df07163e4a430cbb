import { AppError } from '@gleaner/contracts';
import type { Express, RequestHandler } from 'express';
import type { Stage } from '../call.ts';
import { nameRoute } from '../middleware/check-request.ts';
import type { ConsoleFile, ConsoleFiles } from './console-files.ts';
import { mountSessions, type SessionDeps } from './mount-sessions.ts';

/** Collaborators of the console. */
export interface ConsoleDeps extends SessionDeps {
  /** Files of the console; undefined if no folder is configured. */
  readonly consoleFiles: ConsoleFiles | undefined;
}

const PREFIX = '/console/';
const YEAR_SECONDS = 31_536_000;

/** Shown until the console is built. */
const NOT_BUILT = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta http-equiv="refresh" content="2">
    <title>Gleaner</title>
  </head>
  <body>
    <h1>The console is being built</h1>
    <p>This page shows it in a few seconds. The API works already. If nothing happens, the file <code>console.log</code> beside the other logs says why.</p>
  </body>
</html>
`;

/** Mounts the console at `/console/` and the sessions that it needs. Without a folder of files there is neither. */
export function mountConsole(app: Express, deps: ConsoleDeps): void {
  const { consoleFiles: files } = deps;
  if (!files) return;
  const serve: Stage = async (request, response) => {
    if (request.path === PREFIX.slice(0, -1)) return response.redirect(308, 'console/');
    for (const [name, value] of PAGE_HEADERS) response.setHeader(name, value);
    const found = await files.read();
    if (!found) {
      response.type('html').send(NOT_BUILT);
      return;
    }
    const file = found.get(request.path.slice(PREFIX.length) || 'index.html');
    if (!file) throw new AppError('ROUTE_NOT_FOUND', { message: `The console has no file ${request.path}.` });
    send(file, request.headers['accept-encoding'] ?? '', response);
  };
  app.get(/^\/console(?:\/.*)?$/, nameRoute('console') as RequestHandler, serve as RequestHandler);
  // People who open the address of the service in a browser look for the console.
  app.get('/', (request, response, next) => {
    if (!request.headers.accept?.includes('text/html')) return next();
    response.vary('Accept');
    response.redirect(302, 'console/');
  });
  mountSessions(app, deps);
}

function send(file: ConsoleFile, acceptEncoding: string, response: Parameters<Stage>[1]): void {
  const accepted = acceptEncoding.split(',').map((coding) => coding.trim());
  const coding = ['br', 'gzip'].find((each) => accepted.includes(each) && file.bytes[each]) ?? 'identity';
  const bytes = file.bytes[coding] ?? Buffer.alloc(0);
  response.vary('Accept-Encoding');
  if (coding !== 'identity') response.setHeader('Content-Encoding', coding);
  response.setHeader(
    'Cache-Control',
    file.isImmutable ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache',
  );
  response.setHeader('Content-Type', file.contentType);
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}

/**
 * Headers of the console's page. It loads from its own host alone, and its scripts cannot turn text into markup
 * (Trusted Types). Its styles are files, too (docs/decisions/console.md).
 */
const PAGE_HEADERS = [
  [
    'Content-Security-Policy',
    [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data: blob:",
      "font-src 'self'",
      "connect-src 'self'",
      "frame-src 'self'",
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ].join('; '),
  ],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Permissions-Policy', 'camera=(), microphone=(), geolocation=(), clipboard-read=()'],
] as const;
