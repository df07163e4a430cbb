import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';

/** `gleaner key revoke <id>`. */
export function defineRevoke(command: Command, cli: Cli): void {
  command
    .argument('<id>', 'id of the key, key_…, which list shows')
    .action(async (id: string, flags: GlobalOptions) => {
      const output = cli.output(flags);
      const gleaner = await cli.connect(flags);
      const key = await gleaner.keys.revoke(id, { signal: cli.signal });
      if (output.format !== 'table') return await output.one(key, []);
      await output.note(`${key.id} (${key.name}) is revoked; every gateway rejects it within 5 seconds.`);
    });
}
