import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { Express } from 'express';

const require = createRequire(import.meta.url);

/** Files of Swagger UI from its npm package; no other host is involved. */
const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;

/** Allows only resources of this service; Swagger UI sets inline styles, draws icons from data URLs and shows screenshots from blob URLs. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Gleaner API</title>
    <link rel="icon" href="/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/** Without `validatorUrl: null` the page would send the document to a public validator. */
const START = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'list',
  displayRequestDuration: true,
  validatorUrl: null,
});
`;

/** Mounts the viewer of the OpenAPI document at `/docs`; it works without internet access. */
export function mountDocs(app: Express): void {
  app.get('/docs', (_request, response) => {
    response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    response.type('html').send(PAGE);
  });
  app.get('/docs/start.js', (_request, response) => {
    response.type('js').send(START);
  });
  const root = dirname(require.resolve('swagger-ui-dist/package.json'));
  for (const asset of ASSETS) {
    app.get(`/docs/${asset}`, (_request, response) => {
      response.setHeader('Cache-Control', 'public, max-age=3600');
      response.sendFile(asset, { root });
    });
  }
}
