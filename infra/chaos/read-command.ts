import { parseArgs } from 'node:util';
import { SCENARIOS, type ScenarioName } from './jobs/scenarios.ts';
import { BROKER_KINDS, DATABASE_KINDS } from './stack/backends.ts';
import type { ChaosOptions, WorkloadKind } from './workload.ts';

/** Options that were read, `help`, or the error in the command line. */
export type ReadCommand = Omit<ChaosOptions, 'print'> | 'help' | { readonly fault: string };

/** URLs of each workload unless the command line says otherwise. */
const URLS: Readonly<Record<WorkloadKind, string>> = {
  jobs: '10000',
  crawls: '10000',
  schedules: '60',
  profiles: '10000',
  upgrade: '3000',
};
const KINDS = Object.keys(URLS) as WorkloadKind[];
const SCENARIO_NAMES = Object.keys(SCENARIOS) as ScenarioName[];

export const CHAOS_HELP = `Usage: npm run chaos -- [${KINDS.join('|')}] [--seed 1] [--faults 100] [--urls N]
  [--planners 1] [--broker ${BROKER_KINDS.join('|')}] [--database ${DATABASE_KINDS.join('|')}] [--scenario NAME]… [--from VERSION]
--urls: the URLs of the jobs, the pages of the crawled site, or the number of schedules.
--planners: the planners that the orchestrators share.
--broker rabbitmq starts the installed rabbitmq-server; url uses the server that AMQP_URL or MONGODB_URI names.
--from: the commit, tag or folder that the upgrade starts from. Scenarios of jobs:
${SCENARIO_NAMES.map((name) => `  "${name}"`).join('\n')}`;

/** Reads the command line. */
export function readCommand(
  args: readonly string[],
  env: { readonly AMQP_URL?: string | undefined; readonly MONGODB_URI?: string | undefined },
): ReadCommand {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        seed: { type: 'string', default: '1' },
        faults: { type: 'string', default: '100' },
        urls: { type: 'string' },
        planners: { type: 'string', default: '1' },
        scenario: { type: 'string', multiple: true, default: SCENARIO_NAMES },
        broker: { type: 'string', default: env.AMQP_URL ? 'url' : 'embedded' },
        database: { type: 'string', default: env.MONGODB_URI ? 'url' : 'embedded' },
        from: { type: 'string', default: '' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return 'help';
    const [named = 'jobs', ...more] = positionals;
    const kind = readOneOf('The workload', more.length > 0 ? positionals.join(' ') : named, KINDS);
    if (kind === 'upgrade' && !values.from)
      throw new Error('--from names the version that the upgrade starts from.');
    return {
      kind,
      seed: readCount('seed', values.seed, 0),
      faults: readCount('faults', values.faults, 0),
      urls: readCount('urls', values.urls ?? URLS[kind], 1),
      planners: readCount('planners', values.planners, 1),
      scenarios: values.scenario.map((name) => readOneOf('--scenario', name, SCENARIO_NAMES)),
      brokerKind: readOneOf('--broker', values.broker, BROKER_KINDS),
      databaseKind: readOneOf('--database', values.database, DATABASE_KINDS),
      from: values.from,
    };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

function readCount(option: string, text: string, least: number): number {
  const count = Number(text);
  if (text.trim() !== '' && Number.isSafeInteger(count) && count >= least) return count;
  throw new Error(`--${option} takes a whole number from ${least} on, not "${text}".`);
}

function readOneOf<Name extends string>(what: string, text: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === text);
  if (found !== undefined) return found;
  throw new Error(`${what} takes ${names.map((name) => `"${name}"`).join(', ')}, not "${text}".`);
}
