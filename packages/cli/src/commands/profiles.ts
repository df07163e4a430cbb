import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { Gleaner, GleanerError } from '@gleaner/client';
import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../cli.ts';
import { UsageError } from '../exit-codes.ts';
import { profilesFile, readProfiles, writeProfiles } from '../settings/profiles.ts';
import { readKey } from '../settings/resolve-settings.ts';

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

interface Question {
  readonly text: string;
  /** Answer to an empty line. */
  readonly fallback?: string;
  /** True for secrets, which are not shown. */
  readonly isHidden?: boolean;
  /** Option that answers the question where no one can be asked. */
  readonly option: string;
}

/** Asks on the error stream and returns the answer. Throws when no one can be asked. */
export async function ask(
  question: Question,
  { terminal, signal }: Pick<Cli, 'terminal' | 'signal'>,
): Promise<string> {
  const { text, fallback, isHidden, option } = question;
  if (!terminal.stdin.isTTY) throw new UsageError(`${text} is missing.`, `Give it with ${option}.`);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = `${text}${fallback ? ` [${fallback}]` : ''}: `;
  if (isHidden) terminal.warn(prompt);
  const reader = createInterface({
    input: terminal.stdin,
    output: isHidden ? silent : terminal.stderr,
    terminal: true,
  });
  try {
    const answer = await reader.question(isHidden ? '' : prompt, { signal });
    return answer.trim() || fallback || '';
  } finally {
    reader.close();
    if (isHidden) terminal.warn('\n');
  }
}
