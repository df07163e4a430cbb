import { Gleaner, GleanerError } from '@gleaner/client';
import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../cli.ts';
import { UsageError } from '../exit-codes.ts';
import { ask } from '../input/prompt.ts';
import { profilesFile, readProfiles, writeProfiles } from '../settings/profiles.ts';
import { readKey } from '../settings/read-settings.ts';

const DEFAULT_URL = 'http://127.0.0.1:8080';

/** `gleaner login`: asks for address and key, tries them, and keeps them. */
export function defineLogin(command: Command, cli: Cli): void {
  command.action(async (flags: GlobalOptions) => {
    const { profile: name = 'default', keyFile } = flags;
    const mayAsk = flags.input !== false;
    const url =
      flags.url ??
      (mayAsk ? await ask({ text: 'URL', fallback: DEFAULT_URL, option: '--url' }, cli) : undefined);
    if (!url) throw new UsageError('The URL is missing.', 'Give it with --url.');
    const apiKey =
      keyFile !== undefined ? await readKey(keyFile, cli.terminal) : mayAsk ? await askKey(cli) : '';
    if (!apiKey)
      throw new UsageError(
        'The API key is missing.',
        'Give it with --key-file, or --key-file - for the standard input.',
      );
    await tryKey(url, apiKey, cli);
    const { profiles } = readProfiles(cli.env);
    writeProfiles(cli.env, { current: name, profiles: { ...profiles, [name]: { url, apiKey } } });
    cli.terminal.warn(`Logged in to ${url} as profile ${name}, kept in ${profilesFile(cli.env)}.\n`);
  });
}

async function askKey(cli: Cli): Promise<string> {
  return await ask({ text: 'API key (not shown)', isHidden: true, option: '--key-file' }, cli);
}

/** Throws unless the service knows the key. A key without the scope for this call is one that it knows. */
async function tryKey(url: string, apiKey: string, { signal }: Cli): Promise<void> {
  try {
    await new Gleaner({ url, apiKey }).usage({}, { signal });
  } catch (error) {
    if (!(error instanceof GleanerError && error.code === 'FORBIDDEN')) throw error;
  }
}
