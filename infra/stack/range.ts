/** `npm run range`: serves pages of every kind that a scraper meets, with the right answers, until Ctrl-C. */

import { processEnv, readConfig, StartupError, setting } from '@gleaner/config';
import { startRange } from '@gleaner/test-kit';
import { choosePort } from './ports.ts';

const DEFAULT_PORT = 8095;
const SETTINGS = { RANGE_PORT: { type: setting.port, default: DEFAULT_PORT, meaning: 'Port of the range.' } };

await main().catch((error: unknown) => {
  if (!(error instanceof StartupError)) throw error;
  console.error(`range: ${error.message}\n       ${error.suggestion}`);
  process.exitCode = 1;
});

async function main(): Promise<void> {
  const { RANGE_PORT: asked } = readConfig(SETTINGS, processEnv());
  const { url, port } = await startRange(
    await choosePort({ host: '127.0.0.1', port: asked, askedBy: 'RANGE_PORT' }),
  );
  console.log(`
  The range is ready on ${url}/, with the right answers on ${url}/expect.json

  Compare the answers of a service with them:

    RANGE_PORT=${port} npm start
    npm run gleaner -- doctor --range ${url}

  Ctrl-C stops it.
`);
}
