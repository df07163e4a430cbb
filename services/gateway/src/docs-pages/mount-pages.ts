import type { Broker } from '@gleaner/broker';
import { AppError } from '@gleaner/contracts';
import type { OpenApiOptions } from '@gleaner/contracts/openapi';
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
  const openApi = openApiOnce({ version, serverUrl: publicUrl, exampleUrl });
  for (const path of PAGE_PATHS) app.get(path, nameRoute(path) as RequestHandler);
  app.get('/', (_request, response) => sendJson(response, 200, greeting));
  app.get('/openapi.json', async (_request, response) => sendJson(response, 200, await openApi()));
  app.get('/livez', (_request, response) => sendJson(response, 200, { success: true, status: 'alive' }));
  app.get('/readyz', async (_request, response) => {
    await checkReady(deps);
    sendJson(response, 200, { success: true, status: 'ready' });
  });
  mountDocs(app);
}

/** Returns a function that builds the OpenAPI document when it is first asked for: it takes megabytes, and few ask. */
function openApiOnce(options: OpenApiOptions): () => Promise<object> {
  let building: Promise<object> | undefined;
  return () => {
    building ??= import('@gleaner/contracts/openapi').then(({ buildOpenApi }) => buildOpenApi(options));
    return building;
  };
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
