import { parseArgs } from 'node:util';
import { StartupError } from '@gleaner/config';
import {
  CreateKeyRequestSchema,
  compileSchema,
  DEFAULT_ACCOUNT_ID,
  SCOPES,
  type Scope,
} from '@gleaner/contracts';

/** A command of `npm run keys --`, with its options. */
export type KeysCommand =
  | { readonly action: 'help' }
  | { readonly action: 'list'; readonly account: string }
  | { readonly action: 'credit'; readonly account: string; readonly credits: number }
  | { readonly action: 'revoke'; readonly account: string; readonly id: string }
  | {
      readonly action: 'create';
      readonly account: string;
      readonly name: string | undefined;
      readonly scopes: readonly Scope[] | undefined;
      readonly expiresAt: Date | undefined;
      readonly credits: number | null | undefined;
    };

export const KEYS_HELP = `Manages the API keys of this machine's Gleaner, running or not.

  npm run keys -- create [--name NAME] [--scopes scrape,jobs,…] [--expires 2030-01-31] [--account ID] [--credits N]
  npm run keys -- list   [--account ID]
  npm run keys -- revoke KEY_ID [--account ID]
  npm run keys -- credit ACCOUNT_ID AMOUNT

  --name     name of the key, such as the program that uses it
  --scopes   its permissions, separated by commas: ${SCOPES.join(', ')}; default: all but admin
  --expires  date or time at which it expires; default: never
  --account  account of the key, created when it does not exist; default: ${DEFAULT_ACCOUNT_ID}
  --credits  sets the account's balance: a whole number, or "unlimited"
`;

/** Reads the words after `npm run keys --`. Throws a StartupError that names the mistake. */
export function readCommand(args: readonly string[]): KeysCommand {
  const { values, positionals } = parse(args);
  const [action, ...words] = positionals;
  if (action === 'credit' && !values.help) return readCredit(words);
  const [id, ...rest] = words;
  const account = values.account ?? DEFAULT_ACCOUNT_ID;
  if (values.help || action === undefined) return { action: 'help' };
  if (rest.length > 0) throw usageError(`Unexpected argument: ${rest.join(' ')}.`);
  checkAccount(`--account ${account}`, account);
  if (action === 'list') return { action, account };
  if (action === 'revoke') {
    if (!id) throw usageError('revoke needs the id of a key (key_…), which list shows.');
    return { action, account, id };
  }
  if (action !== 'create') throw usageError(`${action} is not a command.`);
  const { name, scopes, expires, credits } = values;
  return {
    action,
    account,
    name: readName(name),
    scopes: readScopes(scopes),
    expiresAt: readMoment(expires),
    credits: readCredits(credits),
  };
}

function readCredit([account, amount, ...rest]: readonly string[]): KeysCommand {
  if (account === undefined || amount === undefined)
    throw usageError('credit needs an account and a number of credits.');
  if (rest.length > 0) throw usageError(`Unexpected argument: ${rest.join(' ')}.`);
  checkAccount(account, account);
  if (!/^[1-9]\d{0,14}$/.test(amount))
    throw usageError(`${amount} is not a whole number of credits above 0.`);
  return { action: 'credit', account, credits: Number(amount) };
}

function checkAccount(written: string, account: string): void {
  if (/^acc_\w{1,60}$/.test(account)) return;
  throw usageError(`${written} is not a valid account: it is acc_ followed by letters, digits or _.`);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        scopes: { type: 'string' },
        expires: { type: 'string' },
        account: { type: 'string' },
        credits: { type: 'string' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw usageError(error instanceof Error ? error.message : String(error));
  }
}

const checkKey = compileSchema(CreateKeyRequestSchema);

function readName(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const checked = checkKey({ name: text });
  if (!checked.ok) throw usageError(`--name ${checked.details[0]?.message}.`);
  return text;
}

function readScopes(text: string | undefined): readonly Scope[] | undefined {
  return text?.split(',').map((word) => {
    const scope = SCOPES.find((known) => known === word.trim());
    if (!scope) throw usageError(`--scopes ${word} is not one of: ${SCOPES.join(', ')}.`);
    return scope;
  });
}

function readMoment(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime()) || moment.getTime() <= Date.now()) {
    throw usageError(`--expires ${text} is not a date or time in the future, such as 2030-01-31.`);
  }
  return moment;
}

function readCredits(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === 'unlimited') return null;
  if (!/^\d{1,15}$/.test(text)) throw usageError(`--credits ${text} is not a whole number or "unlimited".`);
  return Number(text);
}

function usageError(problem: string): StartupError {
  return new StartupError(problem, { suggestion: 'npm run keys -- --help lists the commands and options.' });
}
