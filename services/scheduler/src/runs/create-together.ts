import {
  type AppError,
  type CreateJobCommand,
  type CreateRunOutcome,
  takingTurns,
  toAppError,
  toFailure,
} from '@gleaner/contracts';

/** Creates jobs, each once per id; rejects when the outcome of all of them is unknown. */
export type CreateJobs = (
  commands: readonly CreateJobCommand[],
  signal: AbortSignal,
) => Promise<readonly CreateRunOutcome[]>;

/** Limit for the commands in one message, as JSON; brokers accept several times as much. */
const MAX_MESSAGE_LENGTH = 4 * 1024 * 1024;
/** Limit for the URLs in one message, whose pages the orchestrator stores before it replies; one command may have more. */
const MAX_MESSAGE_URLS = 5000;

/**
 * Sends commands in as few messages as they fit into, and returns their outcomes in order. When a whole message fails,
 * each of its commands is sent alone, because one of them may be the reason. Outcomes are meaningless once the signal is
 * aborted.
 */
export async function createTogether(
  commands: readonly CreateJobCommand[],
  createJobs: CreateJobs,
  signal: AbortSignal,
): Promise<CreateRunOutcome[]> {
  const outcomes: CreateRunOutcome[] = [];
  for await (const message of messagesOf(commands))
    outcomes.push(...(await send(message, createJobs, signal)));
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
    const error = toAppError(thrown);
    if (message.length === 1 || isUnavailable(error) || signal.aborted) {
      return message.map(() => ({ failure: toFailure(error) }));
    }
  }
  const outcomes: CreateRunOutcome[] = [];
  for (const command of message) outcomes.push(...(await send([command], createJobs, signal)));
  return outcomes;
}

/** Tells errors that concern the orchestrator rather than a command. */
function isUnavailable({ code }: AppError): boolean {
  return code === 'SERVICE_UNAVAILABLE' || code === 'TIMEOUT';
}

/** Yields the commands of one message after the other. */
async function* messagesOf(commands: readonly CreateJobCommand[]): AsyncGenerator<CreateJobCommand[]> {
  const takeTurns = takingTurns();
  let message: CreateJobCommand[] = [];
  let length = 0;
  let urls = 0;
  for (const command of commands) {
    const own = JSON.stringify(command).length;
    const ownUrls = command.request.urls.length;
    if (message.length > 0 && (length + own > MAX_MESSAGE_LENGTH || urls + ownUrls > MAX_MESSAGE_URLS)) {
      yield message;
      [message, length, urls] = [[], 0, 0];
    }
    message.push(command);
    length += own;
    urls += ownUrls;
    await takeTurns();
  }
  if (message.length > 0) yield message;
}
