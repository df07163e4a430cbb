import { AppError, type ErrorDetail, profileOf, type ScrapeOptions } from '@gleaner/contracts';
import type { StoredProfile, Stores } from '@gleaner/storage';

/** Finds headers in conflict with the session or the browser of the profile. */
export function findProfileErrors({ profile, headers = {} }: ScrapeOptions): ErrorDetail[] {
  const secret = Object.keys(headers).find((name) => /^(authorization|cookie|user-agent)$/i.test(name));
  if (profile === undefined || secret === undefined) return [];
  return [
    { path: `headers.${secret}`, message: 'cannot be used with profile, whose session it would change' },
  ];
}

/**
 * Returns the profile that options name, and the options with its proxy. Throws PROFILE_NOT_FOUND, and INVALID_REQUEST for
 * another proxy.
 */
export async function findProfile<Options extends ScrapeOptions>(
  options: Options,
  accountId: string,
  { profiles }: { readonly profiles: Pick<Stores['profiles'], 'findProfile'> },
): Promise<{ readonly profile?: StoredProfile; readonly options: Options }> {
  const choice = profileOf(options);
  if (!choice) return { options };
  const profile = await profiles.findProfile(accountId, choice.id);
  if (!profile) throw new AppError('PROFILE_NOT_FOUND');
  const { proxy } = profile;
  if (options.proxy !== undefined && options.proxy !== proxy) {
    const message = `must be left out: the profile ${profile.name} goes out ${proxy === undefined ? 'without a proxy' : `through "${proxy}"`}`;
    throw new AppError('INVALID_REQUEST', {
      message: `proxy ${message}.`,
      details: [{ path: 'proxy', message }],
    });
  }
  return { profile, options: proxy === undefined ? options : { ...options, proxy } };
}
