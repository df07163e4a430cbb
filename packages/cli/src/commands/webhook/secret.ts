import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';

interface Flags extends GlobalOptions {
  readonly rotate?: boolean;
}

/** `gleaner webhook secret`. */
export function defineSecret(command: Command, cli: Cli): void {
  command
    .option('--rotate', 'replace the secret; for 24 hours, deliveries are signed with both')
    .action(async (flags: Flags) => {
      const output = cli.output(flags);
      const { webhooks } = await cli.connect(flags);
      const { signal } = cli;
      const secret = await (flags.rotate ? webhooks.rotateSecret({ signal }) : webhooks.secret({ signal }));
      if (output.format === 'table' || output.format === 'ndjson')
        await output.sink.write(`${secret.secret}\n`);
      else await output.one(secret, []);
      if (secret.previousValidUntil && !flags.quiet) {
        cli.terminal.warn(
          `Until ${secret.previousValidUntil}, deliveries are also signed with the previous secret.\n`,
        );
      }
    });
}
