import { type Answer, file, type Visit } from '../markup/answer.ts';

/** Paths that robots.txt denies; the pages exist. */
const DENIED = ['/cart', '/search'] as const;

/** Returns the robots.txt, which names the sitemap. */
export function robots({ url }: Visit): Answer {
  const lines = [
    'User-agent: *',
    ...DENIED.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${new URL('/sitemap.xml', url)}`,
  ];
  return file('text/plain; charset=utf-8', `${lines.join('\n')}\n`);
}
