import type { Broker } from '@gleaner/broker';
import { QuotaWatch, type Stores } from '@gleaner/storage';

/** Collaborators of keeping answers. */
interface AnswerDeps {
  readonly broker: Pick<Broker, 'respond'>;
  readonly stores: Pick<Stores, 'clock' | 'answers'>;
}

/** Commands that are carried out at once. */
const CONCURRENCY = 8;
const RETENTION_MS = 30 * 24 * 3600 * 1000;
/** Bytes of answers that are kept for an account. */
const QUOTA_BYTES = 64 * 1024 * 1024;

/** Finds and keeps the answers of models for scrapers, until it is stopped. */
export function serveAnswers({ broker, stores: { clock, answers } }: AnswerDeps) {
  const watch = new QuotaWatch(QUOTA_BYTES);
  return broker.respond(
    'answers.commands',
    async ({ body: { answer, ...question } }) => {
      const now = clock.now();
      if (answer === undefined) {
        const known = await answers.findAnswer(question, now);
        return known === null ? {} : { answer: known };
      }
      await answers.putAnswer(question, answer, { now, expiresAt: new Date(now.getTime() + RETENTION_MS) });
      if (watch.isDue(question.accountId, answer.length))
        await answers.deleteExcess(question.accountId, QUOTA_BYTES);
      return {};
    },
    { concurrency: CONCURRENCY },
  );
}
