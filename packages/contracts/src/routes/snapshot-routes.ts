import {
  SnapshotExtractedSchema,
  SnapshotExtractSchema,
  SnapshotSuggestedSchema,
  SnapshotSuggestSchema,
} from '../snapshot.ts';
import { Type } from '../type.ts';
import type { RouteDefinition } from './route.ts';

/** Routes of snapshots: work on them fetches nothing, and costs no credits but those of a model. */
export const SNAPSHOT_ROUTES = {
  extractSnapshot: {
    method: 'post',
    path: '/v1/snapshots/{id}/extract',
    summary: 'Extract data from a snapshot, without fetching the page',
    description: 'Costs no credits. `matches` names the elements that each selector matches.',
    tag: 'Snapshots',
    scope: 'scrape',
    rateLimit: 'read',
    body: SnapshotExtractSchema,
    bodyExample: { selectors: { title: 'h1' } },
    status: 200,
    response: SnapshotExtractedSchema,
    errors: [
      'SNAPSHOT_NOT_FOUND',
      'INVALID_SELECTOR',
      'REQUIRED_FIELD_MISSING',
      'UNSUPPORTED_CONTENT',
      'TIMEOUT',
    ],
  },
  suggestSelectors: {
    method: 'post',
    path: '/v1/snapshots/{id}/suggest',
    summary: 'Propose selectors for elements of a snapshot, or for a schema',
    description:
      'For elements, by `kind` and `picks`: costs no credits; elements are named by their places in document order, as in the view. For a `schema`: a model finds its values once, and `proposal` has selectors that give the same values; costs what the tokens of the model cost.',
    tag: 'Snapshots',
    scope: 'scrape',
    rateLimit: 'read',
    body: SnapshotSuggestSchema,
    bodyExample: { kind: 'one', picks: [3] },
    status: 200,
    response: SnapshotSuggestedSchema,
    errors: [
      'SNAPSHOT_NOT_FOUND',
      'UNSUPPORTED_CONTENT',
      'TIMEOUT',
      'NOT_CONFIGURED',
      'INSUFFICIENT_CREDITS',
      'MODEL_FAILED',
    ],
  },
  viewSnapshot: {
    method: 'get',
    path: '/v1/snapshots/{id}/view',
    summary: 'Show a snapshot for a sandboxed frame',
    description:
      'The page without scripts, forms and everything that loads or navigates; each element has its place in document order as `data-gl-n`.',
    tag: 'Snapshots',
    scope: 'scrape',
    rateLimit: 'read',
    headers: Type.Object({
      'sec-fetch-dest': Type.Optional(
        Type.String({ description: 'Set by browsers. A page that is not in a frame has no script at all.' }),
      ),
    }),
    status: 200,
    mediaTypes: { 'text/html': 'The page, with headers that isolate it.' },
    errors: ['SNAPSHOT_NOT_FOUND', 'UNSUPPORTED_CONTENT', 'TIMEOUT'],
  },
} as const satisfies Record<string, RouteDefinition>;
