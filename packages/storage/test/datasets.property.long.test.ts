import { createId } from '@gleaner/contracts';
import { createRandom, fuzzSeeds } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { DatasetReader } from '../src/datasets/dataset-reader.ts';
import { createDatasetSteps } from '../src/datasets/dataset-steps.ts';
import type { Database } from '../src/index.ts';
import { BACKENDS } from './backends.ts';
import {
  Follower,
  type Row,
  type SimulationDeps,
  simulateDataset,
  untilAnswered,
} from './simulate-datasets.ts';
import type { Death } from './stepped-process.ts';
import { useBackend } from './use-backend.ts';

const SEEDS = fuzzSeeds(6);
/** Steps from one that is killed to the next; the first one changes with the seed. */
const STRIDE = 8;
const DEATHS: readonly Death[] = ['before', 'after', 'never', 'never', 'never', 'never', 'never', 'never'];

describe.each(BACKENDS)('a dataset under crashes on $name', ({ start }) => {
  let database: Database;

  useBackend(start, (connected) => {
    database = connected;
  });

  describe.each([1, 2])('with %i jobs at once', (jobsAtOnce) => {
    it.each(SEEDS)('is what its feed adds up to, from any revision (seed %i)', async (seed) => {
      const random = createRandom(seed);
      await simulate({ random, nextDeath: () => random.pick(DEATHS), jobsAtOnce, runs: 5 });
    });

    it.each(['before', 'after'] as const)('is that too if a process is killed %s one step', async (death) => {
      const [seed = 1] = SEEDS;
      let steps = STRIDE;
      for (let killedAt = createRandom(seed).below(STRIDE); killedAt < steps; killedAt += STRIDE) {
        steps = 0;
        const nextDeath = (): Death => {
          steps += 1;
          return steps === killedAt + 1 ? death : 'never';
        };
        await simulate({ random: createRandom(seed), nextDeath, jobsAtOnce, runs: 2 });
      }
      expect(steps).toBeGreaterThan(20);
    });
  });

  /** Lets processes write and die, then checks the dataset against its feed and what was found. */
  async function simulate(
    choices: Pick<SimulationDeps, 'random' | 'nextDeath' | 'jobsAtOnce' | 'runs'>,
  ): Promise<void> {
    const accountId = createId('acc');
    const { models } = database;
    const deps = { ...choices, models, steps: createDatasetSteps(models), accountId };
    const { expected, found, followers } = await simulateDataset(deps);
    const table = await untilAnswered(() => readTable(accountId));
    for (const follower of [...followers, new Follower(deps, new Map())]) {
      await follower.followToEnd();
      expect(sorted(follower.rows)).toEqual(sorted(table));
    }
    if (choices.jobsAtOnce === 1) expect(sorted(table)).toEqual(sorted(expected));
    for (const [key, { json }] of table) expect(found.get(key)).toContain(json);
    await expectCounted(accountId, table);
  }

  async function readTable(accountId: string): Promise<ReadonlyMap<string, Row>> {
    const reader = new DatasetReader(database.models);
    const dataset = await reader.findDataset(accountId, 'books');
    const rows = new Map<string, Row>();
    if (!dataset?.isLive) return rows;
    for await (const { key, json, isGone } of reader.readTable(dataset, {})) rows.set(key, { json, isGone });
    return rows;
  }

  /** Expects the counters to be those of the records, and each revision to be that of one record or one earlier state. */
  async function expectCounted(accountId: string, table: ReadonlyMap<string, Row>): Promise<void> {
    const dataset = await database.models.datasets.findOne({ accountId }).lean();
    const gone = [...table.values()].filter(({ isGone }) => isGone).length;
    const { datasetId = '', before = 0, revision = 0, records, block } = dataset ?? {};
    expect({ records, gone: dataset?.gone, block }).toEqual({ records: table.size - gone, gone });
    const ids = { _id: { $gte: `${datasetId}/`, $lt: `${datasetId}0` } };
    const now = await database.models.records.find(ids).lean();
    const earlier = await database.models.recordVersions.find(ids).lean();
    const revisions = [...now, ...earlier].map((each) => each.revision).toSorted((a, b) => a - b);
    const first = before === 0 ? 1 : before + 2;
    expect(revisions).toEqual(
      Array.from({ length: Math.max(0, revision - first + 1) }, (_, at) => first + at),
    );
  }
});

function sorted(rows: ReadonlyMap<string, Row>): [string, Row][] {
  return [...rows].toSorted(([one], [other]) => (one < other ? -1 : 1));
}
