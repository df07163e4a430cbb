import type { Broker } from '@gleaner/broker';
import { AppError, type ScheduleCommand, type ScheduleReply } from '@gleaner/contracts';

/** Collaborators of whoever commands the scheduler. */
export interface ScheduleCommander {
  readonly broker: Broker;
}

const TIMEOUT_MS = 5000;

/**
 * What came of the command. Throws what the scheduler refuses it with, and SERVICE_UNAVAILABLE when none listens or
 * none answers in time: it may have happened then.
 */
export async function commandSchedule(
  command: ScheduleCommand,
  { broker }: ScheduleCommander,
  signal: AbortSignal,
): Promise<ScheduleReply> {
  if ((await broker.consumerCount('schedules.commands')) === 0) throw noScheduler();
  try {
    return await broker.request('schedules.commands', command, { timeoutMs: TIMEOUT_MS, signal });
  } catch (fault) {
    if (!(fault instanceof AppError) || fault.code !== 'TIMEOUT') throw fault;
    throw new AppError('SERVICE_UNAVAILABLE', {
      message:
        'Schedules are answered too slowly at the moment; what was asked for may have happened all the same.',
      suggestion: 'Try again in a moment; GET /v1/schedules shows what there is.',
      retryAfterSeconds: 5,
      cause: fault,
    });
  }
}

/** The reply, when it is of the kind that the command is answered with. */
export function expectOutcome<Outcome extends ScheduleReply['outcome']>(
  reply: ScheduleReply,
  outcome: Outcome,
): Extract<ScheduleReply, { outcome: Outcome }> {
  if (isOutcome(reply, outcome)) return reply;
  throw new AppError('INTERNAL_ERROR', {
    message: `The scheduler answered "${reply.outcome}" where "${outcome}" was due.`,
  });
}

function isOutcome<Outcome extends ScheduleReply['outcome']>(
  reply: ScheduleReply,
  outcome: Outcome,
): reply is Extract<ScheduleReply, { outcome: Outcome }> {
  return reply.outcome === outcome;
}

function noScheduler(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    message: 'Nobody takes care of schedules at the moment.',
    suggestion: 'Try again in a moment. If this service is yours, start a scheduler.',
    retryAfterSeconds: 5,
  });
}
