import type { InstanceFacts } from '@gleaner/contracts';
import { Schema } from 'mongoose';
import { documentSchema } from '../document-schema.ts';

/** Last heartbeat of one process; `_id` is the id of its run. */
export interface InstanceDocument {
  readonly _id: string;
  readonly service: string;
  readonly name: string;
  readonly version: string;
  readonly startedAt: Date;
  readonly seenAt: Date;
  readonly facts: InstanceFacts;
  /** Time from which the process counts as gone, and the server may delete the record. */
  readonly expiresAt: Date;
}

export const instanceSchema = documentSchema<InstanceDocument>(
  {
    _id: { type: String, required: true },
    service: { type: String, required: true },
    name: { type: String, required: true },
    version: { type: String, required: true },
    startedAt: { type: Date, required: true },
    seenAt: { type: Date, required: true },
    facts: { type: Schema.Types.Mixed, required: true },
    expiresAt: { type: Date, required: true },
  },
  { minimize: false },
);
instanceSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
