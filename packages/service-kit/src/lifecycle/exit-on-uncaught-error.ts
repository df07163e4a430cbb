import { EXIT_CODES } from '@gleaner/config';
import type { Logger } from '../logger/create-logger.ts';

/** Ends the process with code 1, after a fatal log line, at the first uncaught error or unhandled rejection. */
export function exitOnUncaughtError(logger: Logger): void {
  const exit = (what: string) => (err: unknown) => {
    logger.fatal({ err }, `${what}: the state of the process is unknown, so it ends.`);
    process.exit(EXIT_CODES.failed);
  };
  process.on('uncaughtException', exit('An error was not caught'));
  process.on('unhandledRejection', exit('A rejected promise was not handled'));
}
