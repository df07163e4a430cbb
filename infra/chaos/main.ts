/** `npm run chaos [-- --seed 1 --faults 100 --urls 10000]`: everything fails while jobs run; then the check. */
import { parseArgs } from 'node:util';
import { isClean, renderReport } from './render-report.ts';
import { runChaos } from './run-chaos.ts';
import { SCENARIOS, type ScenarioName } from './scenarios.ts';
import { BROKER_KINDS, type BrokerKind } from './stack/choose-broker.ts';

const NAMES = Object.keys(SCENARIOS) as ScenarioName[];
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    faults: { type: 'string', default: '100' },
    urls: { type: 'string', default: '10000' },
    scenario: { type: 'string', multiple: true, default: NAMES },
    broker: { type: 'string', default: process.env.AMQP_URL ? 'url' : 'embedded' },
  },
});
const [seed, faults, urls] = [values.seed, values.faults, values.urls].map(Number) as [
  number,
  number,
  number,
];
const areNumbersGood = [seed, faults, urls].every((value) => Number.isSafeInteger(value) && value >= 0);
const areNamesGood = values.scenario.every((name) => (NAMES as string[]).includes(name));
if (
  !areNumbersGood ||
  urls === 0 ||
  !areNamesGood ||
  !(BROKER_KINDS as readonly string[]).includes(values.broker)
) {
  console.error(
    [
      'Usage: npm run chaos -- [--seed 1] [--faults 100] [--urls 10000] [--broker embedded|rabbitmq|url] [--scenario NAME]…',
      '--broker rabbitmq starts the installed rabbitmq-server, url uses the one that AMQP_URL names. Scenarios:',
      ...NAMES.map((name) => `  "${name}"`),
    ].join('\n'),
  );
  process.exit(1);
}
const report = await runChaos({
  seed,
  faults,
  urls,
  scenarios: values.scenario as ScenarioName[],
  brokerKind: values.broker as BrokerKind,
  say: (line) => console.log(line),
});
console.log(renderReport(report));
process.exitCode = isClean(report) ? 0 : 1;
