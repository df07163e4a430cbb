import { parseArgs } from 'node:util';
import {
  CreateKeyRequestSchema,
  compileSchema,
  DEFAULT_ACCOUNT_ID,
  SCOPES,
  type Scope,
} from '@gleaner/contracts';
import { StartProblem } from '../stack/start-problem.ts';

/** What `npm run keys --` was asked to do. */
export type KeysCommand =
  | { readonly action: 'help' }
  | { readonly action: 'list'; readonly account: string }
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

  --name     what the key is for
  --scopes   what it may do: ${SCOPES.join(', ')}; default all but admin
  --expires  the day or the moment when it ends; default never
  --account  whose key it is, made if it is not there; default ${DEFAULT_ACCOUNT_ID}
  --credits  sets the account's balance: a whole number, or "unlimited"
`;

/** Reads the words after `npm run keys --`. Throws a StartProblem that says what is wrong with them. */
export function readCommand(args: readonly string[]): KeysCommand {
  const { values, positionals } = parse(args);
  const [action, id, ...rest] = positionals;
  const account = values.account ?? DEFAULT_ACCOUNT_ID;
  if (values.help || action === undefined) return { action: 'help' };
  if (rest.length > 0) throw wrong(`${rest.join(' ')} was not expected.`);
  if (!/^acc_\w{1,60}$/.test(account))
    throw wrong(`--account ${account} is not an account: acc_ and letters, digits or _.`);
  if (action === 'list') return { action, account };
  if (action === 'revoke') {
    if (!id) throw wrong('revoke needs the id of a key: key_…; list shows them.');
    return { action, account, id };
  }
  if (action !== 'create') throw wrong(`${action} is not a command.`);
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
    throw wrong(error instanceof Error ? error.message : String(error));
  }
}

const checkKey = compileSchema(CreateKeyRequestSchema);

function readName(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const checked = checkKey({ name: text });
  if (!checked.ok) throw wrong(`--name ${checked.details[0]?.message}.`);
  return text;
}

function readScopes(text: string | undefined): readonly Scope[] | undefined {
  return text?.split(',').map((word) => {
    const scope = SCOPES.find((known) => known === word.trim());
    if (!scope) throw wrong(`--scopes ${word} is not one of: ${SCOPES.join(', ')}.`);
    return scope;
  });
}

function readMoment(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime()) || moment.getTime() <= Date.now()) {
    throw wrong(`--expires ${text} is not a moment in the future such as 2030-01-31.`);
  }
  return moment;
}

function readCredits(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === 'unlimited') return null;
  if (!/^\d{1,15}$/.test(text)) throw wrong(`--credits ${text} is not a whole number or "unlimited".`);
  return Number(text);
}

function wrong(problem: string): StartProblem {
  return new StartProblem(problem, 'npm run keys -- --help shows what there is.');
}
