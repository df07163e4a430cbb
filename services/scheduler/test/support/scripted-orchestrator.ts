import type { Broker } from '@gleaner/broker';
import {
  AppError,
  type CreateJobCommand,
  type CreateRunOutcome,
  createId,
  type Failure,
  fromFailure,
  type Job,
  type JobState,
  toAppError,
  toFailure,
} from '@gleaner/contracts';
import { describeJob, type Stores } from '@gleaner/storage';

/** What happens to a command before its job is stored; what it throws is the answer. */
export type Obstacle = (command: CreateJobCommand) => void | Promise<void>;

/** An orchestrator on the real broker and database that stores jobs, each once, and never works on them. */
export interface ScriptedOrchestrator {
  /** The create commands that it got, alone or together, in their order, repetitions included. */
  readonly commands: CreateJobCommand[];
  /** Stands in the way of every command from now on; undefined lets them pass. */
  obstruct(obstacle: Obstacle | undefined): void;
  /** Moves a job on. */
  move(jobId: string, to: JobState): Promise<void>;
  stop(): Promise<void>;
}

/** Begins to listen. */
export async function startScriptedOrchestrator(
  broker: Broker,
  { jobs }: Pick<Stores, 'jobs'>,
): Promise<ScriptedOrchestrator> {
  const commands: CreateJobCommand[] = [];
  let obstacle: Obstacle | undefined;
  async function create(runs: readonly CreateJobCommand[]): Promise<CreateRunOutcome[]> {
    const passages = await Promise.allSettled(
      runs.map(async (run) => {
        commands.push(run);
        await obstacle?.(run);
      }),
    );
    const stored = await storeJobs(
      runs.filter((_, index) => passages[index]?.status === 'fulfilled'),
      jobs,
    );
    return passages.map((passage, index) =>
      passage.status === 'rejected'
        ? { failure: toFailure(toAppError(passage.reason)) }
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
  await broker.whenReady(30_000);
  return {
    commands,
    obstruct: (next) => {
      obstacle = next;
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

/** The jobs of these commands by the ids that they asked for; an idempotency key means the job that it meant first. */
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
    ...(scheduleId !== undefined && { scheduleId }),
    ...(idempotencyKey !== undefined && { idempotency: { key: idempotencyKey, requestHash: '' } }),
  };
}
