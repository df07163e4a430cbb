const MAX_CHARS = 35;

/** Returns the language, script and region of a BCP 47 tag, or undefined when its language is unknown. */
export function localeOf(tag: string | undefined): string | undefined {
  if (tag === undefined || tag.length > MAX_CHARS) return undefined;
  try {
    const { language, script, region } = new Intl.Locale(tag.trim().replaceAll('_', '-'));
    const locale = [language, script, region].filter((part) => part !== undefined).join('-');
    return Intl.DateTimeFormat.supportedLocalesOf(locale)[0];
  } catch {
    return undefined;
  }
}
