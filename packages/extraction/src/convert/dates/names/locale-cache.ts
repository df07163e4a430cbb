/** Locales are many, since documents name their own; those used lately are few. */
const MAX_LOCALES = 128;

/** Returns what is built for a locale, and calls `onBuild` before it is built. */
export function createCache<T>(build: (locale: string) => T): (locale: string, onBuild?: () => void) => T {
  const cache = new Map<string, T>();
  return (locale, onBuild) => {
    const known = cache.get(locale);
    if (known !== undefined) return known;
    onBuild?.();
    if (cache.size >= MAX_LOCALES) cache.clear();
    const built = build(locale);
    cache.set(locale, built);
    return built;
  };
}
