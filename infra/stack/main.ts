/** `npm start`: the whole of Gleaner on one machine, until Ctrl-C. */
import { collectGarbage, processEnv, readConfig, renderHelp, StartupError } from '@gleaner/config';
import { banner } from './banner.ts';
import { STACK_SETTINGS } from './settings.ts';
import { StartProblem } from './start-problem.ts';
import { startStack } from './start-stack.ts';

const DEFAULT_PORT = 8080;

if (process.argv.includes('--help')) console.log(renderHelp('npm start', STACK_SETTINGS));
else await main().catch(explain);

async function main(): Promise<void> {
  const startedAt = Date.now();
  const config = readConfig(STACK_SETTINGS, processEnv());
  const interrupted = untilInterrupted();
  console.log('gleaner: starting');
  const starting = startStack({
    dataDir: config.GLEANER_DATA_DIR,
    host: config.HOST,
    port: config.PORT ?? DEFAULT_PORT,
    isPortFixed: config.PORT !== undefined,
    demoPort: config.DEMO_PORT,
    apiKey: config.BOOTSTRAP_API_KEY,
    amqpUrl: config.AMQP_URL,
    mongodbUri: config.MONGODB_URI,
    egressAllow: config.EGRESS_ALLOW,
    logLevel: config.LOG_LEVEL,
    settings: config.PUBLIC_URL === undefined ? {} : { PUBLIC_URL: config.PUBLIC_URL },
    announce: (message) => console.log(`gleaner: ${message}`),
  });
  const stack = await Promise.race([starting, interrupted]);
  if (!stack) return leaveAtOnce();
  console.log(banner(stack, Date.now() - startedAt));
  collectGarbage();
  await interrupted;
  console.log('\ngleaner: stopping');
  await stack.stop();
  console.log('gleaner: stopped');
}

/** Ends this process while it is still starting; what it started notices by itself and ends too. */
function leaveAtOnce(): never {
  console.log('\ngleaner: stopped while starting');
  process.exit(130);
}

/** Resolves at the first Ctrl-C or SIGTERM. Later ones change nothing: the stop that goes on is bounded. */
function untilInterrupted(): Promise<void> {
  return new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => done());
  });
}

function explain(error: unknown): void {
  if (error instanceof StartProblem) console.error(`gleaner: ${error.message}\n         ${error.remedy}`);
  else if (error instanceof StartupError)
    console.error(`gleaner: ${error.message}\n         ${error.suggestion}`);
  else console.error('gleaner: could not start.', error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
