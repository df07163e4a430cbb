import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../cli.ts';
import { UsageError } from '../exit-codes.ts';

/** `gleaner file <id>`: the bytes of a file that was downloaded. */
export function defineFile(command: Command, cli: Cli): void {
  command
    .argument('<id>', 'id of the file, which results of --download have')
    .action(async (id: string, flags: GlobalOptions) => {
      if (flags.json || flags.format)
        throw new UsageError('A file has no other form.', 'Leave out --json and --format.');
      const { sink } = cli.output({ ...flags, format: 'ndjson' });
      if (sink.isTty) {
        throw new UsageError('A file is not for a terminal.', `Say where to write it: -o <path>`);
      }
      const gleaner = await cli.connect(flags);
      for await (const chunk of gleaner.files.download(id, { signal: cli.signal })) await sink.write(chunk);
    });
}
