import type { Subscription } from '@gleaner/broker';
import type {
  CreateRunsCommand,
  CreateRunsReply,
  JobCommand,
  JobReply,
  PageOutcome,
  PageWithScreenshot,
} from '@gleaner/contracts';
import { type CollectDeps, collectOutcomes } from './collect/collect-outcomes.ts';
import { keepScreenshot } from './collect/keep-screenshot.ts';
import { batchOutcomes } from './collect/outcome-batches.ts';
import { cancelJob, tellWhichAreOver } from './commands/cancel-job.ts';
import { type CreateJobDeps, createJob, createJobs } from './commands/create-jobs.ts';
import { keepingOf, type OrchestratorConfig } from './config.ts';
import type { Finisher } from './finish/finisher.ts';
import { serveAnswers } from './keeping/serve-answers.ts';
import { serveFiles } from './keeping/serve-files.ts';
import type { Planners } from './planners/planners.ts';

/** Collaborators of the intakes. */
export interface IntakeDeps extends CollectDeps, Pick<CreateJobDeps, 'tracer'> {
  readonly finisher: Finisher;
  readonly config: OrchestratorConfig;
  readonly planners: Pick<Planners, 'hint' | 'isDrained'>;
}

/** For small commands and cancellations. */
const COMMAND_CONCURRENCY = 8;
/** For commands that create large jobs. */
const LARGE_COMMAND_CONCURRENCY = 2;
const RUNS_CONCURRENCY = 2;
/** For messages of megabytes. */
const LARGE_MESSAGE_CONCURRENCY = 4;

/** Starts to take commands, outcomes and broadcasts from the broker; returns what stops each of them. */
export function startIntakes(deps: IntakeDeps): Subscription[] {
  const { config, broker, stores, planners, terms } = deps;
  const handle = ({ body }: { body: JobCommand }) => handleCommand(body, deps);
  const isDrained = (jobId: string) => planners.isDrained(jobId);
  const store = batchOutcomes((outcomes) => collectOutcomes(outcomes, deps), { terms, isDrained });
  const collect = ({ body }: { body: PageOutcome }) => {
    hintOfRoom(body, planners);
    return store(body);
  };
  const collectShot = async ({ body }: { body: PageWithScreenshot }) =>
    store(await keepScreenshot(body, stores));
  return [
    broker.respond('jobs.commands', handle, { concurrency: COMMAND_CONCURRENCY }),
    broker.respond('jobs.large-commands', handle, { concurrency: LARGE_COMMAND_CONCURRENCY }),
    broker.respond('jobs.runs', ({ body }) => createRuns(body, deps), { concurrency: RUNS_CONCURRENCY }),
    serveAnswers({ broker, stores }),
    serveFiles({ broker, stores, keeping: keepingOf(config).files }),
    broker.consumeWork('pages.results', collect, { concurrency: config.RESULTS_IN_HAND }),
    broker.consumeWork('pages.large-results', collect, { concurrency: LARGE_MESSAGE_CONCURRENCY }),
    broker.consumeWork('pages.screenshots', collectShot, { concurrency: LARGE_MESSAGE_CONCURRENCY }),
    broker.onBroadcast('dispatchHints', (hint) => planners.hint(hint)),
    broker.onBroadcast('pageClaims', ({ jobs = [] }) => tellWhichAreOver(jobs, deps)),
  ];
}

async function handleCommand(command: JobCommand, deps: IntakeDeps): Promise<JobReply> {
  const job = command.type === 'cancel' ? await cancelJob(command, deps) : await createJob(command, deps);
  deps.hint({ hasNewWork: true });
  return { job };
}

async function createRuns({ runs }: CreateRunsCommand, deps: IntakeDeps): Promise<CreateRunsReply> {
  const outcomes = await createJobs(runs, deps);
  deps.hint({ hasNewWork: true });
  return { outcomes };
}

/**
 * Hints at the room for the next page as soon as a found page arrives; the hint after its batch only repeats that. After a
 * failure its host may have to be left alone, which is known after the batch. The next page of a profile waits for
 * the session of this one to be stored.
 */
function hintOfRoom({ pageId, outcome }: PageOutcome, planners: Pick<Planners, 'hint'>): void {
  if (outcome.kind === 'found' && !outcome.leftState) planners.hint({ endedPageIds: [pageId] });
}
