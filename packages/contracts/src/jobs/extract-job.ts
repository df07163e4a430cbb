import type { Static } from 'typebox';
import { Name } from '../map-of.ts';
import { SnapshotExtractSchema } from '../snapshot.ts';
import { Type } from '../type.ts';
import { WebhookSchema } from '../webhooks/webhook.ts';

/** The body of `POST /v1/jobs/{id}/extract`: the data to extract from the snapshots of the job. */
export const ExtractJobRequestSchema = Type.Object(
  {
    name: Type.Optional(Name({ description: 'Default: the name of the job whose pages are used.' })),
    ...SnapshotExtractSchema.properties,
    webhook: Type.Optional(WebhookSchema),
  },
  { additionalProperties: false },
);
export type ExtractJobRequest = Static<typeof ExtractJobRequestSchema>;
