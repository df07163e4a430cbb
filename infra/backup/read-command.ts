import { StartupError } from '@gleaner/config';

/** Command of `npm run backup`. */
export type BackupCommand =
  | { readonly action: 'help' }
  | { readonly action: 'create' | 'restore' | 'verify'; readonly file: string };

export const BACKUP_HELP = `Usage: npm run backup -- create|restore|verify <file>

  create <file>    writes everything in the database to a new file; Gleaner may run
  restore <file>   writes the file into an empty database, while Gleaner is stopped
  verify <file>    checks that the file is whole, without a database

The database is that of MONGODB_URI, or the embedded one in GLEANER_DATA_DIR (.gleaner).`;

const ACTIONS = ['create', 'restore', 'verify'] as const;

/** Reads the command line. Throws a StartupError for one that cannot be carried out. */
export function readCommand(args: readonly string[]): BackupCommand {
  const [name, file, ...rest] = args;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') return { action: 'help' };
  const action = ACTIONS.find((known) => known === name);
  if (!action) throw usage(`"${name}" is not a command of npm run backup.`);
  if (file === undefined) throw usage(`${action} needs the name of a file.`);
  if (rest.length > 0) throw usage(`${action} takes one file, and "${rest[0]}" is another argument.`);
  return { action, file };
}

function usage(message: string): StartupError {
  return new StartupError(message, { suggestion: 'npm run backup -- --help shows the commands.' });
}
