import type { JobProgress } from '@gleaner/storage';
import type { Receiver } from '../receiver.ts';
import type { Findings } from '../report.ts';

type Run = Pick<JobProgress, 'id' | 'status'>;

/** Returns the runs whose rule has to tell once, and has not been heard. */
export function awaitingMessage(runs: readonly Run[], { messages }: Pick<Receiver, 'messages'>): Run[] {
  const heard = new Set(messages.flatMap(({ event, isAccepted }) => (isAccepted ? [event.data.jobId] : [])));
  return runs.filter(({ id, status }) => status === 'completed' && !heard.has(id));
}

/** Checks that the rule of each completed run has told once, with the same words at every attempt, and of no other run. */
export function checkMessages(
  runs: readonly Run[],
  receiver: Pick<Receiver, 'messages'>,
  findings: Findings,
): void {
  const known = new Set(runs.map(({ id }) => id));
  for (const { id } of awaitingMessage(runs, receiver))
    findings.lost.push(`${id}: its rule has told nothing.`);
  for (const [jobId, attempts] of Map.groupBy(receiver.messages, ({ event }) => event.data.jobId)) {
    const ids = new Set(attempts.map(({ id }) => id));
    if (ids.size > 1) findings.doubled.push(`${jobId}: its rule has told ${ids.size} times.`);
    if (new Set(attempts.map(({ body }) => body)).size > ids.size)
      findings.other.push(`${jobId}: a message of its rule came with several bodies.`);
    if (!known.has(jobId)) findings.other.push(`${jobId}: a rule has told of it, and it has not ended.`);
  }
}
