import type { Broker } from '@gleaner/broker';
import {
  AppError,
  type CreateJobCommand,
  type CreateRunOutcome,
  createId,
  defined,
  type Failure,
  fromFailure,
  type Job,
  type JobState,
  toAppError,
  toFailure,
} from '@gleaner/contracts';
import { describeJob, type Stores } from '@gleaner/storage';
import { untilReady } from '@gleaner/test-kit';

/** Called with each command before its job is stored; an error that it throws becomes the reply. */
export type Interceptor = (command: CreateJobCommand) => void | Promise<void>;

/** Orchestrator on the real broker and database that stores jobs, each once, and never dispatches their pages. */
export interface ScriptedOrchestrator {
  /** The create commands that it received, alone or together, in order and including repetitions. */
  readonly commands: CreateJobCommand[];
  /** Calls the interceptor for every command from now on; undefined removes it. */
  intercept(interceptor: Interceptor | undefined): void;
  /** Changes the status of a job. */
  move(jobId: string, to: JobState): Promise<void>;
  stop(): Promise<void>;
}

/** Starts to answer the commands of both job queues. */
export async function startScriptedOrchestrator(
  broker: Broker,
  { jobs }: Pick<Stores, 'jobs'>,
): Promise<ScriptedOrchestrator> {
  const commands: CreateJobCommand[] = [];
  let interceptor: Interceptor | undefined;
  async function create(runs: readonly CreateJobCommand[]): Promise<CreateRunOutcome[]> {
    const checks = await Promise.allSettled(
      runs.map(async (run) => {
        commands.push(run);
        await interceptor?.(run);
      }),
    );
    const stored = await storeJobs(
      runs.filter((_, index) => checks[index]?.status === 'fulfilled'),
      jobs,
    );
    return checks.map((check, index) =>
      check.status === 'rejected'
        ? { failure: toFailure(toAppError(check.reason)) }
        : { job: stored.get(runs[index]?.jobId ?? '') as Job },
    );
  }
  const subscriptions = [
    broker.respond(
      'jobs.commands',
      async ({ body }) => {
        if (body.type !== 'create') throw new AppError('JOB_NOT_FOUND');
        const [outcome] = await create([body]);
        if (outcome && 'job' in outcome) return outcome;
        throw fromFailure(outcome?.failure as Failure);
      },
      { concurrency: 50 },
    ),
    broker.respond('jobs.runs', async ({ body }) => ({ outcomes: await create(body.runs) }), {
      concurrency: 50,
    }),
  ];
  await untilReady(broker);
  return {
    commands,
    intercept: (next) => {
      interceptor = next;
    },
    async move(jobId, to) {
      const event = { id: createId('evt'), type: 'job.started', at: new Date() } as const;
      const job = await jobs.transition(jobId, { from: ['pending', 'running'], to, set: {}, event });
      if (!job) throw new Error(`The job ${jobId} cannot be moved.`);
    },
    async stop() {
      await Promise.all(subscriptions.map((subscription) => subscription.stop(0)));
    },
  };
}

/** Stores the jobs of these commands, and returns them by requested id; a known idempotency key returns its first job. */
async function storeJobs(
  commands: readonly CreateJobCommand[],
  jobs: Stores['jobs'],
): Promise<ReadonlyMap<string, Job>> {
  const drafts = await jobs.insertDrafts(commands.map(draftOf));
  const ids = drafts.map(({ job }) => job.id);
  const published = new Map((await jobs.publishDrafts(ids)).map((job) => [job.id, job]));
  return new Map(
    commands.map(({ jobId }, index) => {
      const job = published.get(ids[index] ?? '');
      if (!job) throw new Error(`The job ${jobId} was not stored.`);
      return [jobId, { ...describeJob(job), status: 'pending' }];
    }),
  );
}

function draftOf({ jobId, accountId, keyId, request, scheduleId, idempotencyKey }: CreateJobCommand) {
  return {
    id: jobId,
    accountId,
    keyId,
    name: request.name ?? 'Untitled job',
    totalUrls: request.urls.length,
    optionsJson: '{}',
    createdAt: new Date(),
    ...defined({ scheduleId }),
    ...(idempotencyKey !== undefined && { idempotency: { key: idempotencyKey, requestHash: '' } }),
  };
}
