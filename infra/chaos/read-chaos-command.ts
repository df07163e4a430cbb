import { parseArgs } from 'node:util';
import { type ReadCommand, readCommand, readCount, readOneOf } from './run-command.ts';
import { SCENARIOS, type ScenarioName } from './scenarios.ts';
import { BROKER_KINDS, type BrokerKind } from './stack/choose-broker.ts';
import { DATABASE_KINDS, type DatabaseKind } from './stack/choose-database.ts';

/** Options of a chaos run. */
export interface ChaosCommand {
  readonly seed: number;
  readonly faults: number;
  readonly urls: number;
  readonly scenarios: readonly ScenarioName[];
  readonly brokerKind: BrokerKind;
  readonly databaseKind: DatabaseKind;
}

const NAMES = Object.keys(SCENARIOS) as ScenarioName[];

export const CHAOS_HELP = [
  'Usage: npm run chaos -- [--seed 1] [--faults 100] [--urls 10000] [--broker embedded|rabbitmq|url] [--database embedded|url] [--scenario NAME]…',
  '--broker rabbitmq starts the installed rabbitmq-server; url uses the server that AMQP_URL or MONGODB_URI names. Scenarios:',
  ...NAMES.map((name) => `  "${name}"`),
].join('\n');

/** Reads the command line. Returns the options, `help`, or the error. */
export function readChaosCommand(
  args: readonly string[],
  env: { readonly AMQP_URL?: string | undefined; readonly MONGODB_URI?: string | undefined },
): ReadCommand<ChaosCommand> {
  return readCommand(() => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        seed: { type: 'string', default: '1' },
        faults: { type: 'string', default: '100' },
        urls: { type: 'string', default: '10000' },
        scenario: { type: 'string', multiple: true, default: NAMES },
        broker: { type: 'string', default: env.AMQP_URL ? 'url' : 'embedded' },
        database: { type: 'string', default: env.MONGODB_URI ? 'url' : 'embedded' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return 'help';
    return {
      seed: readCount('seed', values.seed, 0),
      faults: readCount('faults', values.faults, 0),
      urls: readCount('urls', values.urls, 1),
      scenarios: values.scenario.map((name) => readOneOf('scenario', name, NAMES)),
      brokerKind: readOneOf('broker', values.broker, BROKER_KINDS),
      databaseKind: readOneOf('database', values.database, DATABASE_KINDS),
    };
  });
}
