import { createCache } from './names/locale-cache.ts';

const MAX_CHARS = 35;

const knownLocaleOf = createCache(findLocale);

/** Returns the language, script and region of a BCP 47 tag, or undefined when its language is unknown. */
export function localeOf(tag: string | undefined): string | undefined {
  return tag === undefined || tag.length > MAX_CHARS ? undefined : knownLocaleOf(tag).locale;
}

function findLocale(tag: string): { readonly locale: string | undefined } {
  try {
    const { language, script, region } = new Intl.Locale(tag.trim().replaceAll('_', '-'));
    const locale = [language, script, region].filter((part) => part !== undefined).join('-');
    return { locale: Intl.DateTimeFormat.supportedLocalesOf(locale)[0] };
  } catch {
    return { locale: undefined };
  }
}
