import { buildOpenApi } from '@gleaner/contracts';
import type { Express, RequestHandler } from 'express';
import { nameRoute } from '../middleware/name-route.ts';
import { sendJson } from '../send-json.ts';
import { checkHealth, type HealthDeps } from './check-health.ts';
import { mountDocs } from './mount-docs.ts';

/** What the public pages show. */
export interface PageDeps extends HealthDeps {
  readonly version: string;
  /** The address that callers use; shown in the OpenAPI document. */
  readonly publicUrl: string;
}

/** The paths below, all of them GET and open to everybody. */
export const PAGE_PATHS = ['/', '/openapi.json', '/docs', '/livez', '/readyz'] as const;

/** Mounts what needs no API key: a greeting, the OpenAPI document, its viewer, and the health checks. */
export function mountPages(app: Express, deps: PageDeps): void {
  const greeting = greetingFor(deps.version);
  const openApi = buildOpenApi({ version: deps.version, serverUrl: deps.publicUrl });
  for (const path of PAGE_PATHS) app.get(path, nameRoute(path) as RequestHandler);
  app.get('/', (_request, response) => sendJson(response, 200, greeting));
  app.get('/openapi.json', (_request, response) => sendJson(response, 200, openApi));
  app.get('/livez', (_request, response) => sendJson(response, 200, { success: true, status: 'alive' }));
  app.get('/readyz', async (_request, response) => {
    await checkHealth(deps);
    sendJson(response, 200, { success: true, status: 'ready' });
  });
  mountDocs(app);
}

function greetingFor(version: string) {
  return {
    success: true,
    name: 'Gleaner',
    version,
    description: 'Give it a URL and CSS selectors, get the data: POST /v1/scrape.',
    docs: '/docs',
    openapi: '/openapi.json',
  };
}
