import { UsageError } from '../exit-codes.ts';
import type { NearbyStack } from './find-stack.ts';
import type { Profile, Profiles } from './profiles.ts';

/** Address and key of the service, and where each was found. */
export interface Settings {
  readonly url: string;
  readonly urlFrom: string;
  readonly apiKey: string | undefined;
  readonly keyFrom: string | undefined;
}

/** Places that may name the service, the strongest first. */
export interface Sources {
  readonly flags: { readonly url?: string | undefined; readonly apiKey?: string | undefined };
  readonly env: { readonly url?: string | undefined; readonly apiKey?: string | undefined };
  /** Name given by flag or variable; undefined for the current one. */
  readonly profileName: string | undefined;
  readonly profiles: Profiles;
  readonly stack: NearbyStack | undefined;
}

const DEFAULT_URL = 'http://127.0.0.1:8080';

/**
 * Chooses address and key: flag, variable, profile, nearby stack. A key of a profile or of a stack goes only to the
 * address that it was stored with, never to one that was named elsewhere.
 */
export function resolveSettings(sources: Sources): Settings {
  const { flags, env, stack, profileName } = sources;
  const named = namedProfile(sources);
  const profile: Place | undefined = named && { ...named.profile, from: `profile ${named.name}` };
  const nearby: Place | undefined = stack && { url: stack.url, apiKey: stack.apiKey, from: stack.folder };
  // A profile that is named outright is stronger than a variable.
  const outright = profileName ? profile : undefined;
  const addresses: (Place | undefined)[] = [
    { url: flags.url, from: '--url' },
    outright,
    { url: env.url, from: 'GLEANER_URL' },
    profile,
    nearby,
    { url: DEFAULT_URL, from: 'the default' },
  ];
  const address = addresses.find((place) => place?.url);
  const url = (address?.url ?? DEFAULT_URL).trim();
  const isStoredFor = (place: Place | undefined) =>
    place?.url && isSameAddress(place.url, url) ? place : undefined;
  const keys: (Place | undefined)[] = [
    { apiKey: flags.apiKey, from: '--key-file' },
    isStoredFor(outright),
    { apiKey: env.apiKey, from: 'GLEANER_API_KEY' },
    isStoredFor(profile),
    isStoredFor(nearby),
  ];
  const key = keys.find((place) => place?.apiKey);
  return { url, urlFrom: address?.from ?? 'the default', apiKey: key?.apiKey?.trim(), keyFrom: key?.from };
}

/** A place that may hold an address, a key, or both. */
interface Place {
  readonly url?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly from: string;
}

function namedProfile({ profileName, profiles }: Sources): { name: string; profile: Profile } | undefined {
  const name = profileName ?? profiles.current;
  if (!name) return undefined;
  const profile = profiles.profiles[name];
  if (profile) return { name, profile };
  if (!profileName) return undefined;
  const names = Object.keys(profiles.profiles);
  throw new UsageError(
    `There is no profile ${name}.`,
    names.length > 0 ? `There are: ${names.join(', ')}.` : `Create it with: gleaner login --profile ${name}`,
  );
}

function isSameAddress(one: string, other: string): boolean {
  try {
    return new URL(one).href === new URL(other).href;
  } catch {
    return false;
  }
}
