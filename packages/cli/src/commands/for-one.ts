import type { Cli, Define, GlobalOptions, Opened } from '../cli.ts';

/** Defines a command about one thing, which its argument names, without options of its own. */
export function forOne(
  argument: `<${string}>`,
  description: string,
  act: (named: string, opened: Opened, cli: Cli) => Promise<void>,
): Define {
  return (command, cli) =>
    command
      .argument(argument, description)
      .action(async (named: string, flags: GlobalOptions) => act(named, await cli.open(flags), cli));
}
