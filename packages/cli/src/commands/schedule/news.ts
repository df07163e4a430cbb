import type { ScheduleDiff } from '@gleaner/client';
import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';

interface FeedFlags extends GlobalOptions {
  readonly rotate?: boolean;
}

/** `gleaner schedule feed <id>`: the addresses for a reader of feeds. */
export function defineFeed(command: Command, cli: Cli): void {
  command
    .argument('<id>', 'id of the schedule')
    .option('--rotate', 'replace the token; readers with the old addresses are shut out')
    .action(async (id: string, flags: FeedFlags) => {
      const { output, gleaner, call } = await cli.open(flags);
      const { schedules } = gleaner;
      const feed = await (flags.rotate ? schedules.rotateFeed(id, call) : schedules.feed(id, call));
      const service = (await cli.address(flags)).replace(/(?<!\/)\/+$/, '');
      const [atom, json] = [service + feed.atomUrl, service + feed.jsonUrl];
      const shown = { atom, json, createdAt: feed.createdAt };
      await output.one(shown, Object.entries(shown));
    });
}

interface DiffFlags extends GlobalOptions {
  readonly from?: string;
  readonly to?: string;
  readonly page?: string;
}

/** `gleaner schedule diff <id>`: the difference of two runs as a patch. */
export function defineDiff(command: Command, cli: Cli): void {
  command
    .argument('<id>', 'id of the schedule')
    .option('--from <job>', 'the run before; default: the last one before --to')
    .option('--to <job>', 'the run after; default: the last one')
    .option('--page <url>', 'only this page')
    .action(async (id: string, flags: DiffFlags) => {
      const { output, gleaner, call } = await cli.open(flags);
      const { from, to, page: url } = flags;
      const diff = await gleaner.schedules.diff(id, { from, to, url }, call);
      if (output.format !== 'table') return await output.json(diff);
      for (const { url: page, text } of diff.pages) {
        await output.sink.write(text ?? `Files ${page} and ${page} differ\n`);
      }
      if (!flags.quiet) cli.terminal.warn(`${describeDiff(diff)}\n`);
    });
}

/** Says how many pages differ, and what the patch leaves out. */
function describeDiff({ from, to, pages, unchanged, notCompared, omitted }: ScheduleDiff): string {
  const cut = pages.filter(({ isCut }) => isCut).length;
  const facts = [
    `${pages.length} of ${pages.length + unchanged} pages differ`,
    ...(cut > 0 ? [`${cut} are cut`] : []),
    ...(notCompared > 0 ? [`${notCompared} have no Markdown in one of the runs`] : []),
    ...(omitted > 0 ? [`${omitted} further ones were not compared: name one by --page`] : []),
  ];
  return `${from.jobId} → ${to.jobId}: ${facts.join('; ')}.`;
}
