/** `npm run keys -- create|list|revoke|credit`: API keys from the command line. */
import { processEnv, readConfig, StartupError } from '@gleaner/config';
import { AppError } from '@gleaner/contracts';
import { STACK_SETTINGS } from '../configuration/stack-settings.ts';
import { openDatabase } from './open-database.ts';
import { KEYS_HELP, readCommand } from './read-command.ts';
import { runCommand } from './run-command.ts';

try {
  const command = readCommand(process.argv.slice(2));
  if (command.action === 'help') console.log(KEYS_HELP);
  else {
    const { GLEANER_DATA_DIR, MONGODB_URI } = readConfig(STACK_SETTINGS, processEnv());
    const database = await openDatabase(GLEANER_DATA_DIR, MONGODB_URI);
    try {
      console.log(await runCommand(command, database.stores));
    } finally {
      await database.close();
    }
  }
} catch (error) {
  if (!(error instanceof StartupError) && !(error instanceof AppError)) throw error;
  console.error(`gleaner: ${error.message}\n         ${error.suggestion}`);
  process.exitCode = 1;
}
