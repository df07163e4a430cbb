import {
  type AppError,
  type CreateJobCommand,
  type CreateRunOutcome,
  toAppError,
  toFailure,
} from '@gleaner/contracts';

/** Has jobs created, each once per id; rejects when nothing is known of any of them. */
export type CreateJobs = (
  commands: readonly CreateJobCommand[],
  signal: AbortSignal,
) => Promise<readonly CreateRunOutcome[]>;

/** What one message may hold of commands, as JSON; brokers take a few times as much. */
const MAX_MESSAGE_LENGTH = 4 * 1024 * 1024;

/**
 * What came of each command, in their order, asked for with as few messages as they fit into. Where a message as a
 * whole fails, each of its commands is asked for alone: one of them may be the reason. Once the signal
 * is aborted the outcomes are worth nothing.
 */
export async function createTogether(
  commands: readonly CreateJobCommand[],
  createJobs: CreateJobs,
  signal: AbortSignal,
): Promise<CreateRunOutcome[]> {
  const outcomes: CreateRunOutcome[] = [];
  for (const message of messagesOf(commands)) outcomes.push(...(await send(message, createJobs, signal)));
  return outcomes;
}

async function send(
  message: readonly CreateJobCommand[],
  createJobs: CreateJobs,
  signal: AbortSignal,
): Promise<readonly CreateRunOutcome[]> {
  try {
    return await createJobs(message, signal);
  } catch (thrown) {
    const fault = toAppError(thrown);
    if (message.length === 1 || isAway(fault) || signal.aborted) {
      return message.map(() => ({ failure: toFailure(fault) }));
    }
  }
  const outcomes: CreateRunOutcome[] = [];
  for (const command of message) outcomes.push(...(await send([command], createJobs, signal)));
  return outcomes;
}

/** Whether nobody could do it, whatever it was. */
function isAway({ code }: AppError): boolean {
  return code === 'SERVICE_UNAVAILABLE' || code === 'TIMEOUT';
}

function messagesOf(commands: readonly CreateJobCommand[]): CreateJobCommand[][] {
  const messages: CreateJobCommand[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const command of commands) {
    const own = JSON.stringify(command).length;
    if (length + own > MAX_MESSAGE_LENGTH) {
      messages.push([]);
      length = 0;
    }
    messages.at(-1)?.push(command);
    length += own;
  }
  return messages;
}
