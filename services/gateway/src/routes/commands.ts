import {
  AppError,
  type Job,
  type JobCommand,
  type ScheduleCommand,
  type ScheduleReply,
  type WebhookCommand,
  type WebhookReply,
} from '@gleaner/contracts';
import { type CommandDeps, sendCommand } from '@gleaner/service-kit';

/** The orchestrator writes every URL of a new job before it replies; on a busy machine that takes seconds. */
const JOB_TIMEOUT_MS = 15_000;
const JOB_TIMEOUT_MS_PER_URL = 1.5;
/** Jobs of more URLs have a queue of their own, so that no other command waits for them. */
const MAX_SMALL_JOB = 1000;
const SCHEDULE_TIMEOUT_MS = 15_000;
/** A test event takes as long as its endpoint may take to answer. */
const WEBHOOK_TIMEOUT_MS = 25_000;

/**
 * Sends a command to the job-orchestrator and returns the job. Throws the orchestrator's error, and SERVICE_UNAVAILABLE
 * when none runs or replies in time.
 */
export async function commandJob(
  command: JobCommand,
  deps: CommandDeps,
  { signal, urlCount = 0 }: { readonly signal: AbortSignal; readonly urlCount?: number },
): Promise<Job> {
  const isLarge = urlCount > MAX_SMALL_JOB;
  // An orchestrator of the version before does not take from it.
  const hasOwnQueue = isLarge && (await deps.broker.consumerCount('jobs.large-commands')) > 0;
  const queue = hasOwnQueue ? 'jobs.large-commands' : 'jobs.commands';
  const { job } = await sendCommand(deps, queue, command, {
    service: 'job-orchestrator',
    timeoutMs: JOB_TIMEOUT_MS + Math.ceil(urlCount * JOB_TIMEOUT_MS_PER_URL),
    signal,
    timeoutSuggestion: 'Try again in a moment; with an Idempotency-Key no job is created twice.',
  });
  return job;
}

/** Sends a command to the scheduler. Throws the scheduler's error, and SERVICE_UNAVAILABLE when none runs or replies in time. */
export async function commandSchedule(
  command: ScheduleCommand,
  deps: CommandDeps,
  signal: AbortSignal,
): Promise<ScheduleReply> {
  return await sendCommand(deps, 'schedules.commands', command, {
    service: 'scheduler',
    timeoutMs: SCHEDULE_TIMEOUT_MS,
    signal,
    timeoutSuggestion: 'Try again in a moment; GET /v1/schedules shows the current state.',
  });
}

/** Returns the reply if it has the outcome that the command is answered with. */
export function expectOutcome<Outcome extends ScheduleReply['outcome']>(
  reply: ScheduleReply,
  outcome: Outcome,
): Extract<ScheduleReply, { outcome: Outcome }> {
  if (hasOutcome(reply, outcome)) return reply;
  throw new AppError('INTERNAL_ERROR', {
    message: `The scheduler replied "${reply.outcome}" instead of "${outcome}".`,
  });
}

function hasOutcome<Outcome extends ScheduleReply['outcome']>(
  reply: ScheduleReply,
  outcome: Outcome,
): reply is Extract<ScheduleReply, { outcome: Outcome }> {
  return reply.outcome === outcome;
}

/** Sends a command to the webhook-notifier. Throws DELIVERY_NOT_FOUND, and SERVICE_UNAVAILABLE when none runs or replies in time. */
export async function commandNotifier(
  command: WebhookCommand,
  deps: CommandDeps,
  signal: AbortSignal,
): Promise<WebhookReply> {
  return await sendCommand(deps, 'webhooks.commands', command, {
    service: 'webhook-notifier',
    timeoutMs: WEBHOOK_TIMEOUT_MS,
    signal,
    timeoutSuggestion: 'Try again in a moment; GET /v1/webhooks/deliveries shows the current state.',
  });
}
