import type { Broker } from '@gleaner/broker';
import { AppError, type CreateJobRequest, createId, type Job, type JobCommand } from '@gleaner/contracts';
import type { Caller } from '../../authentication/caller.ts';

/** Collaborators of whoever commands the orchestrator. */
export interface JobCommander {
  readonly broker: Broker;
}

/** An orchestrator that does not answer is away; what it has to write for each URL takes its time. */
const TIMEOUT_MS = 5_000;
const TIMEOUT_MS_PER_URL = 1.5;

/** The command that creates a job for the caller. */
export function startCommand(
  request: CreateJobRequest,
  { account, keyId }: Caller,
  idempotencyKey: string | undefined,
): JobCommand {
  const jobId = createId('job');
  const key = idempotencyKey === undefined ? {} : { idempotencyKey };
  return { type: 'create', jobId, accountId: account.id, keyId, request, ...key };
}

/**
 * The job after the command. Throws what the orchestrator refuses it with, and SERVICE_UNAVAILABLE when none listens
 * or none answers in time: a create may have happened then, and its Idempotency-Key makes it safe to repeat.
 */
export async function commandJob(
  command: JobCommand,
  { broker }: JobCommander,
  signal: AbortSignal,
): Promise<Job> {
  if ((await broker.consumerCount('jobs.commands')) === 0) throw noOrchestrator();
  try {
    const { job } = await broker.request('jobs.commands', command, {
      timeoutMs: timeoutMsOf(command),
      signal,
    });
    return job;
  } catch (fault) {
    if (!(fault instanceof AppError) || fault.code !== 'TIMEOUT') throw fault;
    throw new AppError('SERVICE_UNAVAILABLE', {
      message:
        'Jobs are answered too slowly at the moment; what was asked for may have happened all the same.',
      suggestion: 'Try again in a moment; with an Idempotency-Key no job is created twice.',
      retryAfterSeconds: 5,
      cause: fault,
    });
  }
}

function timeoutMsOf(command: JobCommand): number {
  const urlCount = command.type === 'create' ? command.request.urls.length : 0;
  return TIMEOUT_MS + Math.ceil(urlCount * TIMEOUT_MS_PER_URL);
}

function noOrchestrator(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    message: 'Nobody takes care of jobs at the moment.',
    suggestion: 'Try again in a moment. If this service is yours, start a job-orchestrator.',
    retryAfterSeconds: 5,
  });
}
