import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../cli.ts';
import { UsageError } from '../exit-codes.ts';
import { readProfiles, writeProfiles } from '../settings/profiles.ts';

/** `gleaner profiles [name]`: lists them, or makes one the current one. */
export function defineProfiles(command: Command, cli: Cli): void {
  command
    .argument('[name]', 'profile to use from now on')
    .action(async (name: string | undefined, flags: GlobalOptions) => {
      const { current, profiles } = readProfiles(cli.env);
      if (name !== undefined) {
        if (!profiles[name])
          throw new UsageError(`There is no profile ${name}.`, 'gleaner profiles lists them.');
        writeProfiles(cli.env, { current: name, profiles });
        return cli.terminal.warn(`Profile ${name} is used from now on.\n`);
      }
      const rows = Object.entries(profiles).map(([each, { url }]) => ({
        name: each,
        url,
        isCurrent: each === current,
      }));
      await cli.output(flags).list(
        rows,
        [
          { name: 'name', value: (row) => row.name },
          { name: 'url', value: (row) => row.url },
          { name: 'current', value: (row) => (row.isCurrent ? 'yes' : '') },
        ],
        'There are no profiles. Create one with: gleaner login',
      );
    });
}
