import type { BodyOf, Profile, StorageState } from '@gleaner/client';
import type { Command } from 'commander';
import { signInByHand } from '../browser/sign-in-by-hand.ts';
import type { Cli, GlobalOptions, Opened } from '../cli.ts';
import { UsageError } from '../exit-codes.ts';
import { parseCount } from '../input/option-values.ts';
import { withoutUndefined } from '../input/page-options.ts';
import { readJsonObject } from '../input/read-text.ts';
import type { Column } from '../output/render-table.ts';
import { forOne } from './for-one.ts';

interface CreateFlags extends GlobalOptions {
  readonly loginFile?: string;
  readonly stateFile?: string;
  readonly proxy?: string;
  readonly ttl?: number;
}

const COLUMNS: readonly Column<Profile>[] = [
  { name: 'id', isWhole: true, value: ({ id }) => id },
  { name: 'name', value: ({ name }) => name },
  { name: 'status', isWhole: true, value: ({ status }) => status },
  { name: 'signed in', isWhole: true, isMinor: true, value: ({ signedInAt }) => signedInAt ?? '' },
  { name: 'error', isMinor: true, value: ({ lastError }) => lastError?.message ?? '' },
];

/** `gleaner profile create <name>`. */
export function defineCreate(command: Command, cli: Cli): void {
  command
    .argument('<name>', 'name of the profile')
    .option('--login-file <file>', 'JSON of the login: {"url", "actions", "check"}; - is the standard input')
    .option('--state-file <file>', 'session to begin with, as Playwright’s storageState() returns it')
    .option('--proxy <country>', 'sign in and fetch through a proxy of this country, such as us')
    .option('--ttl <ms>', 'time after which a session counts as expired', parseCount)
    .action(async (name: string, flags: CreateFlags) => {
      const { loginFile, stateFile, proxy, ttl } = flags;
      const body = withoutUndefined({
        name,
        login:
          loginFile === undefined
            ? undefined
            : await readJsonObject(loginFile, 'Its fields are url, actions and check.', cli),
        storageState:
          stateFile === undefined ? undefined : await readJsonObject(stateFile, STATE_ADVICE, cli),
        proxy,
        ttl,
      });
      const { output, gleaner, call } = await cli.open(flags);
      const profile = await gleaner.profiles.create(body as BodyOf<'createProfile'>, call);
      await output.list([profile], COLUMNS, '');
    });
}

/** `gleaner profile list`. */
export function defineList(command: Command, cli: Cli): void {
  command.action(async (flags: GlobalOptions) => {
    const { output, gleaner, call } = await cli.open(flags);
    await output.list(gleaner.profiles.list({ limit: 100 }, call), COLUMNS, 'There are no profiles.');
  });
}

/** `gleaner profile show <profile>`. */
export const defineShow = forOne('<profile>', 'id or name', async (given, { output, gleaner, call }) => {
  await output.list([await findProfile(given, { gleaner, call })], COLUMNS, '');
});

interface LoginFlags extends GlobalOptions {
  readonly stateFile?: string;
  readonly headed?: boolean;
}

/** `gleaner profile login <profile>`. */
export function defineLogin(command: Command, cli: Cli): void {
  command
    .argument('<profile>', 'id or name')
    .option('--headed', 'sign in yourself, in a window of a browser on this machine')
    .option('--state-file <file>', 'upload a session, as Playwright’s storageState() returns it')
    .action(async (given: string, flags: LoginFlags) => {
      const { output, gleaner, call } = await cli.open(flags);
      const profile = await findProfile(given, { gleaner, call });
      const storageState = await stateOf(profile, flags, cli);
      const changed = storageState
        ? await gleaner.profiles.update(profile.id, { storageState }, call)
        : await gleaner.profiles.login(profile.id, call);
      await output.list([changed], COLUMNS, '');
    });
}

/** Returns the session to upload; undefined if the service is to sign in. */
async function stateOf(
  { name, login }: Profile,
  { headed, stateFile }: LoginFlags,
  cli: Cli,
): Promise<StorageState | undefined> {
  if (headed && stateFile !== undefined)
    throw new UsageError('--headed and --state-file both name a session.', 'Use one of them.');
  if (stateFile !== undefined) return (await readJsonObject(stateFile, STATE_ADVICE, cli)) as StorageState;
  if (!headed) return undefined;
  if (login) return await signInByHand(login.url, cli);
  throw new UsageError(
    `The profile ${name} has no login.url to open.`,
    'Add login with PATCH /v1/profiles/:id, or use --state-file.',
  );
}

const STATE_ADVICE = 'Playwright writes one with context.storageState({path}).';

/** `gleaner profile delete <profile>`. */
export const defineDelete = forOne('<profile>', 'id or name', async (given, { output, gleaner, call }) => {
  const { id, name } = await findProfile(given, { gleaner, call });
  await gleaner.profiles.delete(id, call);
  await output.note(`${name} is deleted.`);
});

/** Finds a profile by its id or its name. */
async function findProfile(
  given: string,
  { gleaner, call }: Pick<Opened, 'gleaner' | 'call'>,
): Promise<Profile> {
  if (given.startsWith('prof_')) return await gleaner.profiles.get(given, call);
  for await (const profile of gleaner.profiles.list({ limit: 100 }, call))
    if (profile.name === given) return profile;
  throw new UsageError(`There is no profile named ${given}.`, 'List them: gleaner profile list');
}
