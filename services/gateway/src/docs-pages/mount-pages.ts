import type { Broker } from '@gleaner/broker';
import { AppError, buildOpenApi } from '@gleaner/contracts';
import type { Database } from '@gleaner/storage';
import type { Express, RequestHandler } from 'express';
import { nameRoute } from '../middleware/check-request.ts';
import { sendJson } from '../responses/responses.ts';
import { mountDocs } from './mount-docs.ts';

/** Collaborators and contents of the public pages. */
export interface PageDeps {
  readonly broker: Pick<Broker, 'isReady'>;
  readonly database: Pick<Database, 'ping'>;
  readonly version: string;
  /** Address that callers use; shown in the OpenAPI document. */
  readonly publicUrl: string;
  /** Page that the examples of the OpenAPI document name. */
  readonly exampleUrl: string;
}

/** Paths of the public pages, all of them GET. */
export const PAGE_PATHS = ['/', '/openapi.json', '/docs', '/livez', '/readyz'] as const;

/** Mounts the pages that need no API key: a greeting, the OpenAPI document, its viewer, and the health probes. */
export function mountPages(app: Express, deps: PageDeps): void {
  const { version, publicUrl, exampleUrl } = deps;
  const greeting = greetingFor(version);
  const openApi = buildOpenApi({ version, serverUrl: publicUrl, exampleUrl });
  for (const path of PAGE_PATHS) app.get(path, nameRoute(path) as RequestHandler);
  app.get('/', (_request, response) => sendJson(response, 200, greeting));
  app.get('/openapi.json', (_request, response) => sendJson(response, 200, openApi));
  app.get('/livez', (_request, response) => sendJson(response, 200, { success: true, status: 'alive' }));
  app.get('/readyz', async (_request, response) => {
    await checkReady(deps);
    sendJson(response, 200, { success: true, status: 'ready' });
  });
  mountDocs(app);
}

/** Throws SERVICE_UNAVAILABLE unless the broker and the database can be used now. */
async function checkReady({ broker, database }: PageDeps): Promise<void> {
  if (!broker.isReady) {
    throw new AppError('SERVICE_UNAVAILABLE', { message: 'The broker is not connected.' });
  }
  await database.ping();
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
