/** `npm run chaos:crawls [-- --seed 1 --faults 100 --pages 10000]`: injects faults while crawls run, then compares what they found with what the site has. */
import { parseArgs } from 'node:util';
import { listFindings } from '../check/findings.ts';
import { readCommand, readCount, readOneOf, runCommand } from '../run-command.ts';
import { BROKER_KINDS } from '../stack/choose-broker.ts';
import { type CrawlChaosReport, runCrawlChaos } from './run-crawl-chaos.ts';

const HELP = `Usage: npm run chaos:crawls -- [--seed 1] [--faults 100] [--pages 10000] [--broker ${BROKER_KINDS.join('|')}]`;
const MAX_SHOWN = 30;

function read(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: 'string', default: '1' },
      faults: { type: 'string', default: '100' },
      pages: { type: 'string', default: '10000' },
      broker: { type: 'string', default: 'embedded' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return 'help';
  return {
    seed: readCount('seed', values.seed, 0),
    faults: readCount('faults', values.faults, 0),
    pages: readCount('pages', values.pages, 10),
    brokerKind: readOneOf('broker', values.broker, BROKER_KINDS),
  };
}

function render({ crawls, faults, findings }: CrawlChaosReport): string {
  const { lost, doubled, chargedTwice, other, late } = findings;
  return [
    ...crawls.map(
      ({ name, results, seconds, changes }) =>
        `${name.padEnd(30)} ${String(results).padStart(7)} results ${seconds.toFixed(1).padStart(7)} s ${changes ? JSON.stringify(changes) : ''}`,
    ),
    `faults injected   ${Object.values(faults).reduce((sum, count) => sum + count, 0)}`,
    `lost ${lost.length}, doubled ${doubled.length}, charged twice ${chargedTwice.length}, other ${other.length}, late ${late.length}`,
    ...listFindings(findings)
      .slice(0, MAX_SHOWN)
      .map((line) => `  ! ${line}`),
  ].join('\n');
}

await runCommand(
  readCommand(() => read(process.argv.slice(2))),
  {
    ...{ help: HELP, run: runCrawlChaos, render },
    isClean: ({ findings }) => listFindings(findings).length === 0,
  },
);
