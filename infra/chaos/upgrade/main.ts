/** `npm run chaos:upgrade -- --from <commit or folder>`: replaces every service of an older version while jobs and scrapes run, then checks the promises. */
import { parseArgs } from 'node:util';
import { listFindings } from '../check/findings.ts';
import { readCommand, readCount, readOneOf, runCommand } from '../run-command.ts';
import { BROKER_KINDS } from '../stack/choose-broker.ts';
import { runUpgrade, type UpgradeReport } from './run-upgrade.ts';

const HELP = `Usage: npm run chaos:upgrade -- --from <commit, tag or folder> [--urls 3000] [--broker ${BROKER_KINDS.join('|')}]`;
const MAX_SHOWN = 30;

function read(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      from: { type: 'string' },
      urls: { type: 'string', default: '3000' },
      broker: { type: 'string', default: 'embedded' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return 'help';
  if (values.from === undefined) throw new Error('--from names the version that the upgrade starts from.');
  return {
    from: values.from,
    urls: readCount('urls', values.urls, 1),
    brokerKind: readOneOf('broker', values.broker, BROKER_KINDS),
  };
}

function render({ jobs, scrapes, refusals, findings }: UpgradeReport): string {
  const { lost, doubled, chargedTwice, other, late } = findings;
  return [
    `jobs ${jobs}, scrapes ${scrapes}, calls repeated after 503 ${refusals}`,
    `lost ${lost.length}, doubled ${doubled.length}, charged twice ${chargedTwice.length}, other ${other.length}, late ${late.length}`,
    ...listFindings(findings)
      .slice(0, MAX_SHOWN)
      .map((line) => `  ! ${line}`),
  ].join('\n');
}

await runCommand(
  readCommand(() => read(process.argv.slice(2))),
  {
    ...{ help: HELP, run: runUpgrade, render },
    isClean: ({ findings }) => listFindings(findings).length === 0,
  },
);
