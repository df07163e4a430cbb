import {
  AppError,
  CHANNEL_FIELDS,
  type ChannelTarget,
  type ChannelType,
  type ErrorDetail,
  TARGET_FIELDS,
  type TargetField,
} from '@gleaner/contracts';
import { summarizeDetails } from '../../responses/summarize-details.ts';
import { findUrlError, requireValidUrls, type UrlRules } from '../check-urls.ts';

/** Rules that channels are checked against. */
export interface ChannelRules extends UrlRules {
  /** True of what the operator has: a mail server, an Apprise. */
  readonly sends: { readonly email: boolean; readonly apprise: boolean };
  /** Domains that emails may be sent to; none stand for all. */
  readonly emailDomains: readonly string[];
}

/** Checks where a channel leads. Throws INVALID_REQUEST with every error, and INVALID_URL. */
export function checkTarget(type: ChannelType, target: ChannelTarget, rules: ChannelRules): void {
  const details = [
    ...findFieldErrors(type, target),
    ...findSenderErrors(type, rules),
    ...findRecipientErrors(target, rules),
  ];
  if (details.length > 0)
    throw new AppError('INVALID_REQUEST', { message: summarizeDetails(details), details });
  const { url, server } = target;
  requireValidUrls([
    ...(url === undefined ? [] : findUrlError('url', url, rules)),
    ...(server === undefined ? [] : findUrlError('server', server, rules)),
  ]);
}

/** Returns the target that a body gives, without its other fields. */
export function targetOf(body: ChannelTarget): ChannelTarget {
  const given = TARGET_FIELDS.flatMap((field) =>
    body[field] === undefined ? [] : [[field, body[field]] as const],
  );
  return Object.fromEntries(given);
}

function findFieldErrors(type: ChannelType, target: ChannelTarget): ErrorDetail[] {
  const { required, optional } = CHANNEL_FIELDS[type];
  const known = [...required, ...optional];
  const missing = required.filter((field) => target[field] === undefined);
  const foreign = TARGET_FIELDS.filter((field) => target[field] !== undefined && !known.includes(field));
  return [
    ...missing.map((path) => ({ path, message: `is required of a channel of the type "${type}"` })),
    ...foreign.map((path) => ({
      path,
      message: `is not a field of channels of the type "${type}". Its fields: ${known.join(', ')}`,
    })),
  ];
}

function findSenderErrors(type: ChannelType, { sends }: ChannelRules): ErrorDetail[] {
  const lacks = (setting: string) => [
    {
      path: 'type',
      message: `"${type}" is not available here: ask the operator to set ${setting} for the gateway and the webhook-notifier`,
    },
  ];
  if (type === 'email' && !sends.email) return lacks('SMTP_URL');
  return type === 'apprise' && !sends.apprise ? lacks('APPRISE_URL') : [];
}

function findRecipientErrors({ to = [] }: ChannelTarget, { emailDomains }: ChannelRules): ErrorDetail[] {
  if (emailDomains.length === 0) return [];
  const allowed = new Set(emailDomains.map((domain) => domain.toLowerCase()));
  return to.flatMap((address, index) => {
    const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
    if (allowed.has(domain)) return [];
    return [
      {
        path: `to.${index}`,
        message: `is of the domain ${domain}, which emails may not be sent to. Allowed: ${emailDomains.join(', ')}`,
      },
    ];
  });
}

/** Characters of a topic or key that are shown. */
const SHOWN = 3;

/** Returns where a channel leads, without the parts that hold a secret. */
export function shownAddress(type: ChannelType, target: ChannelTarget): string {
  const { url = '', to = [], chat = '', topic = '', server, key = '' } = target;
  const cut = (text: string) => `${text.slice(0, SHOWN)}…`;
  const addresses: Partial<Record<ChannelType, () => string>> = {
    email: () => to.join(', '),
    telegram: () => `${hostOf(server ?? 'https://api.telegram.org')}, chat ${chat}`,
    ntfy: () => `${originOf(server ?? 'https://ntfy.sh')}/${cut(topic)}`,
    apprise: () => `apprise, key ${cut(key)}`,
  };
  return addresses[type]?.() ?? cutUrl(url);
}

/** Returns the address of an endpoint; its path and query are cut, which often are a secret. */
function cutUrl(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return pathname === '/' && search === '' ? `${origin}/` : `${origin}/…`;
}

function originOf(url: string): string {
  return new URL(url).origin;
}

function hostOf(url: string): string {
  return new URL(url).host;
}

/** Types with targets that hold no secret. */
const OPEN_TYPES: readonly ChannelType[] = ['email'];

/** Returns whether the target of a channel is stored encrypted. */
export function isSealed(type: ChannelType): boolean {
  return !OPEN_TYPES.includes(type);
}

/** Returns the target after a change of some fields. */
export function mergeTarget(before: ChannelTarget, given: ChannelTarget): ChannelTarget {
  const fields: Partial<Record<TargetField, unknown>> = Object.assign({}, before, given);
  return fields as ChannelTarget;
}
