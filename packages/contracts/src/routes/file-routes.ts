import { Type } from '../type.ts';
import type { RouteDefinition } from './route.ts';

/** Routes of the files that `download` kept. */
export const FILE_ROUTES = {
  getFile: {
    method: 'get',
    path: '/v1/files/{id}',
    summary: 'Get a file that was downloaded',
    description:
      'The bytes as the site sent them, with its type, as an attachment. `file` of a result has the `id`; its `sha256` is the ETag.',
    tag: 'Files',
    scope: 'scrape',
    rateLimit: 'read',
    headers: Type.Object({
      'if-none-match': Type.Optional(
        Type.String({
          description: 'The ETag of an earlier response; the response is 304 while the file is kept.',
        }),
      ),
    }),
    status: 200,
    mediaTypes: { '*/*': 'The file.' },
    responseHeaders: ['Content-Disposition', 'ETag'],
    errors: ['FILE_NOT_FOUND'],
  },
} as const satisfies Record<string, RouteDefinition>;
