import type { Static } from 'typebox';
import { Type } from '../type.ts';

/** Length of the longest answer of a model that is used and kept. */
export const MAX_ANSWER_LENGTH = 64 * 1024;

const exact = { additionalProperties: false };

/** Looks for the answer of a model to an equal question, or keeps one: scrapers have no database. Each step may be repeated. */
export const AnswerCommandSchema = Type.Object(
  {
    accountId: Type.String(),
    /** Hash of the page, the schema, the prompt and the model. */
    key: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    /** The answer to keep. */
    answer: Type.Optional(Type.String({ maxLength: MAX_ANSWER_LENGTH })),
  },
  exact,
);
export type AnswerCommand = Static<typeof AnswerCommandSchema>;

/** The known answer, if there is one. */
export const AnswerReplySchema = Type.Object({ answer: Type.Optional(Type.String()) }, exact);
