import { randomUUID } from 'node:crypto';
import { type BodyOf, withScheme } from '@gleaner/client';
import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import {
  addPageOptions,
  addWebhookOptions,
  type PageFlags,
  readPageOptions,
  readWebhook,
  type WebhookFlags,
  withoutUndefined,
} from '../../input/page-options.ts';
import { readUrls } from '../../input/read-urls.ts';
import { fieldsOfJob } from './columns.ts';
import { followJob } from './follow-job.ts';

interface Flags extends PageFlags, WebhookFlags, GlobalOptions {
  readonly urlsFile?: string;
  readonly name?: string;
  readonly screenshot?: boolean;
  readonly idempotencyKey?: string;
  readonly watch?: boolean;
}

/** `gleaner job create [urls…]`. */
export function defineCreate(command: Command, cli: Cli): void {
  command.argument('[urls...]', 'the pages; - reads them from the standard input, one per line');
  addWebhookOptions(addPageOptions(command))
    .option('--urls-file <file>', 'file with one URL per line; - is the standard input')
    .option('--name <name>', 'name of the job')
    .option('--screenshot', 'keep a screenshot of every page')
    .option('--idempotency-key <key>', 'creates the job once, however often the command runs with this key')
    .option('-w, --watch', 'follow the job until it has finished')
    .action(async (given: string[], flags: Flags) => {
      const urls = (await readUrls(given, flags.urlsFile, cli)).map(withScheme);
      const { name, screenshot } = flags;
      const body: BodyOf<'createJob'> = {
        ...{ urls, ...(await readPageOptions(flags, cli)) },
        ...withoutUndefined({ name, screenshot, webhook: readWebhook(flags) }),
      };
      const output = cli.output(flags);
      const gleaner = await cli.connect(flags);
      const headers = { 'idempotency-key': flags.idempotencyKey ?? randomUUID() };
      const { job } = await gleaner.call('createJob', { body, headers }, { signal: cli.signal });
      if (flags.watch) {
        if (!flags.quiet) cli.terminal.warn(`${job.id}\n`);
        return await followJob(job.id, { cli, gleaner, output, flags });
      }
      await output.one(job, fieldsOfJob(job));
      await output.note(`\nFollow it: gleaner job watch ${job.id}`);
    });
}
