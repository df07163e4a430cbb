import QuickLRU from 'quick-lru';

/** Locales are many, since documents name their own; those used lately are few. */
const MAX_LOCALES = 64;

/** Returns what is built for a locale, and calls `onBuild` before it is built. */
export function createCache<T>(build: (locale: string) => T): (locale: string, onBuild?: () => void) => T {
  const cache = new QuickLRU<string, T>({ maxSize: MAX_LOCALES });
  return (locale, onBuild) => {
    const known = cache.get(locale);
    if (known !== undefined) return known;
    onBuild?.();
    const built = build(locale);
    cache.set(locale, built);
    return built;
  };
}
