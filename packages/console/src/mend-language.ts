/** Part of a navigator that names the language of its user. */
export interface LanguageOwner {
  readonly language: string;
}

const DEFAULT_LANGUAGE = 'en-US';

/**
 * Replaces a language that `Intl` rejects: Chromium in the locale POSIX reports `en-US@posix`, and uPlot passes it to `Intl`
 * as it loads.
 */
export function mendLanguage(navigator: LanguageOwner): void {
  try {
    Intl.getCanonicalLocales(navigator.language);
  } catch {
    const [tag = ''] = navigator.language.split(/[@.]/);
    Object.defineProperty(navigator, 'language', { value: isTag(tag) ? tag : DEFAULT_LANGUAGE });
  }
}

function isTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}
