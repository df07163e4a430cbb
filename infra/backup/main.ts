/** `npm run backup -- create|restore|verify <file>`: everything in the database as one file. */
import { processEnv, readConfig, StartupError } from '@gleaner/config';
import { AppError } from '@gleaner/contracts';
import { STACK_SETTINGS } from '../configuration/stack-settings.ts';
import { readCommand } from './read-command.ts';
import { runCommand } from './run-command.ts';

try {
  const { GLEANER_DATA_DIR: dataDir, MONGODB_URI: mongodbUri } = readConfig(STACK_SETTINGS, processEnv());
  console.log(await runCommand(readCommand(process.argv.slice(2)), { dataDir, mongodbUri }));
} catch (error) {
  if (!(error instanceof StartupError) && !(error instanceof AppError)) throw error;
  console.error(`gleaner: ${error.message}\n         ${error.suggestion}`);
  process.exitCode = 1;
}
