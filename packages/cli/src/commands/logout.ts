import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../cli.ts';
import { UsageError } from '../exit-codes.ts';
import { readProfiles, writeProfiles } from '../settings/profiles.ts';

/** `gleaner logout`: removes a profile. The key stays valid. */
export function defineLogout(command: Command, cli: Cli): void {
  command.action(async (flags: GlobalOptions) => {
    const { current, profiles } = readProfiles(cli.env);
    const name = flags.profile ?? current;
    if (!name || !profiles[name]) {
      throw new UsageError(
        name ? `There is no profile ${name}.` : 'No profile is in use.',
        'gleaner profiles lists them.',
      );
    }
    const { [name]: removed, ...rest } = profiles;
    writeProfiles(cli.env, { current: current === name ? Object.keys(rest)[0] : current, profiles: rest });
    cli.terminal.warn(
      `Profile ${name} (${removed?.url}) is removed. Its key stays valid until it is revoked.\n`,
    );
  });
}
