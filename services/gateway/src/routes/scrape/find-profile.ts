import { AppError, type ErrorDetail, profileOf, type ScrapeOptions } from '@gleaner/contracts';
import type { StoredProfile, Stores } from '@gleaner/storage';

/** Finds options that cannot be used with a profile: they would bring another session, or look like another browser. */
export function findProfileErrors(options: ScrapeOptions): ErrorDetail[] {
  if (options.profile === undefined) return [];
  const headers = Object.keys(options.headers ?? {});
  const secret = headers.find((name) => /^(authorization|cookie|user-agent)$/i.test(name));
  return [
    ...(options.cookies === undefined
      ? []
      : [{ path: 'cookies', message: 'cannot be used with profile, which has its own cookies' }]),
    ...(secret === undefined
      ? []
      : [
          {
            path: `headers.${secret}`,
            message: 'cannot be used with profile, whose session it would change',
          },
        ]),
    ...(options.antiBot
      ? [{ path: 'antiBot', message: 'cannot be used with profile: a session stays with one browser' }]
      : []),
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
