/** `npm start`: runs the whole of Gleaner on this machine until Ctrl-C. */

import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { processEnv, readConfig, renderHelp, StartupError } from '@gleaner/config';
import { STACK_SETTINGS } from '../configuration/stack-settings.ts';
import { banner } from './banner.ts';
import { buildConsole } from './console/build-console.ts';
import { consoleUrl, signInLink } from './console/console-link.ts';
import { untilParentEnds } from './parent-watch.ts';
import { type Stack, startStack } from './start-stack.ts';

const DEFAULT_PORT = 8080;
const DEFAULT_METRICS_PORT = 9464;

if (process.argv.includes('--help')) console.log(await renderStackHelp());
else await main().catch(explain);

/** Renders the settings of `npm start`, followed by the settings it passes on to services. */
async function renderStackHelp(): Promise<string> {
  // Loaded here only: it brings the configuration of every service.
  const { CONFIGURATION_SECTIONS } = await import('../configuration/configuration-sections.ts');
  const services = CONFIGURATION_SECTIONS.filter(({ table }) => table !== STACK_SETTINGS);
  const tables = services.map(({ title, table }) => {
    const own = Object.entries(table).filter(([name]) => !(name in STACK_SETTINGS));
    return renderHelp(title, Object.fromEntries(own));
  });
  return [
    renderHelp('npm start', STACK_SETTINGS),
    'Settings of the services work here as well, for instance: RATE_LIMIT_SCRAPE=500 npm start\n',
    ...tables,
  ].join('\n');
}

async function main(): Promise<void> {
  const startedAt = Date.now();
  const config = readConfig(STACK_SETTINGS, processEnv());
  const stopRequested = untilStopRequested();
  const announce = (message: string) => console.log(`gleaner: ${message}`);
  console.log('gleaner: starting');
  const starting = startStack({
    dataDir: config.GLEANER_DATA_DIR,
    host: config.HOST,
    port: config.PORT ?? DEFAULT_PORT,
    isPortFixed: config.PORT !== undefined,
    demoPort: config.DEMO_PORT,
    metricsHost: config.METRICS_HOST,
    metricsPort: config.METRICS_PORT ?? DEFAULT_METRICS_PORT,
    isMetricsPortFixed: config.METRICS_PORT !== undefined,
    apiKey: config.BOOTSTRAP_API_KEY,
    secretsKey: config.SECRETS_KEY,
    amqpUrl: config.AMQP_URL,
    mongodbUri: config.MONGODB_URI,
    egressAllow: [...config.EGRESS_ALLOW, ...rangeHosts(config.RANGE_PORT)],
    logLevel: config.LOG_LEVEL,
    consoleDir: config.CONSOLE_DIR,
    settings: config.PUBLIC_URL === undefined ? {} : { PUBLIC_URL: config.PUBLIC_URL },
    announce,
  });
  const stack = await Promise.race([starting, stopRequested]);
  if (!stack) return exitWhileStarting();
  const tookMs = Date.now() - startedAt;
  const secrets = await secretsToShow(stack, config);
  const isRoot = process.getuid?.() === 0;
  const isContainer = config.IN_CONTAINER;
  console.log(banner({ ...stack, ...secrets, host: config.HOST, isContainer, isRoot, tookMs }));
  const building = buildConsole(stack.consoleDir, join(stack.logs, 'console.log'), announce);
  const isGone = await Promise.race([stopRequested, stack.untilFolderGone().then(() => true)]);
  if (isGone) explain(folderGone(config.GLEANER_DATA_DIR));
  console.log('\ngleaner: stopping');
  building.stop();
  await stack.stop();
  console.log('gleaner: stopped');
}

function folderGone(dataDir: string): StartupError {
  return new StartupError(
    `The data folder ${resolve(dataDir)} was deleted, moved or replaced while Gleaner was running.`,
    {
      suggestion: 'Put it back, or restore a backup into it, then start Gleaner again.',
    },
  );
}

/** Returns the hosts of a range on this machine; none unless the operator names its port. */
function rangeHosts(port: number | undefined): string[] {
  return port === undefined ? [] : [`127.0.0.1:${port}`, `localhost:${port}`];
}

/** Returns the key and the link that signs in at a terminal; elsewhere neither, since others may read the output. */
async function secretsToShow(
  stack: Stack,
  config: { PUBLIC_URL: string | undefined; IN_CONTAINER: boolean },
) {
  const publicUrl = config.PUBLIC_URL ?? stack.url;
  if (process.stdout.isTTY) return { apiKey: stack.apiKey, consoleLink: await signInLink(stack, publicUrl) };
  // The engine gives a container its id as the name of its host.
  const within = config.IN_CONTAINER ? `docker exec ${hostname()} ` : '';
  return { apiKey: `$(${within}cat ${stack.keyFile})`, consoleLink: consoleUrl(publicUrl) };
}

/** Ends this process; the processes it started notice that and end too. */
function exitWhileStarting(): never {
  console.log('\ngleaner: stopped while starting');
  process.exit(130);
}

/**
 * Resolves at the first Ctrl-C or SIGTERM, or when the process that started this one has ended. Later signals change
 * nothing, since stopping is bounded.
 */
function untilStopRequested(): Promise<void> {
  const signaled = new Promise<void>((done) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => done());
  });
  return Promise.race([signaled, untilParentEnds()]);
}

function explain(error: unknown): void {
  if (error instanceof StartupError) console.error(`gleaner: ${error.message}\n         ${error.suggestion}`);
  else console.error('gleaner: could not start.', error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
