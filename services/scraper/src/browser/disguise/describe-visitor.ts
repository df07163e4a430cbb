import { release } from 'node:os';
import type { ScrapeRequest } from '@gleaner/contracts';
import { describeChrome } from '@gleaner/egress';
import type { Protocol } from 'puppeteer-core';
import { timeZoneOf } from './time-zone-of.ts';

/** Who sits at a disguised browser, as far as pages can tell. */
export interface Visitor {
  readonly userAgent: string;
  /** As `navigator.platform` says. */
  readonly platform: string;
  readonly metadata: Protocol.Emulation.UserAgentMetadata;
  /** Best first. */
  readonly languages: readonly string[];
  /** Undefined leaves that of the machine. */
  readonly timeZone: string | undefined;
}

/** What is known of the system where node's release is another's number. */
const OTHER_VERSIONS: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: '15.5.0',
  win32: '15.0.0',
};

/**
 * A Chrome of the browser's own version on its own system, since what it claims must fit what it can do; at home in the
 * country that the request goes out through, and in the languages that the caller asks for.
 */
export function describeVisitor(
  { version }: { readonly version: string },
  { headers = {}, proxy }: Pick<ScrapeRequest, 'headers' | 'proxy'>,
): Visitor {
  const major = Number.parseInt(version, 10);
  const { brands, platform, navigatorPlatform, userAgent } = describeChrome(major);
  const wanted = Object.entries(headers).find(([name]) => name.toLowerCase() === 'accept-language')?.[1];
  return {
    userAgent,
    platform: navigatorPlatform,
    languages: wanted === undefined ? languagesOf(proxy) : namesIn(wanted),
    timeZone: proxy === undefined ? undefined : timeZoneOf(proxy),
    metadata: {
      brands: [...brands],
      fullVersionList: brands.map(({ brand, version: short }) => ({
        brand,
        version: short === String(major) ? version : `${short}.0.0.0`,
      })),
      platform,
      platformVersion: OTHER_VERSIONS[process.platform] ?? /^\d+\.\d+\.\d+/.exec(release())?.[0] ?? '',
      architecture: process.arch.startsWith('arm') ? 'arm' : 'x86',
      bitness: '64',
      model: '',
      mobile: false,
      wow64: false,
    },
  };
}

const ENGLISH = ['en-US', 'en'] as const;

/** What people there have their browsers set to (CLDR's likely subtags). */
function languagesOf(country: string | undefined): readonly string[] {
  if (country === undefined || !/^[a-z]{2}$/.test(country)) return ENGLISH;
  const { language, region } = new Intl.Locale(`und-${country}`).maximize();
  if (!region) return ENGLISH;
  return [`${language}-${region}`, language, ...(language === 'en' ? [] : ENGLISH)];
}

/** The names in an Accept-Language header, whose weights browsers make themselves. */
function namesIn(header: string): readonly string[] {
  const names = header.split(',').map((part) => part.split(';')[0]?.trim() ?? '');
  return names.filter((name) => /^[A-Za-z0-9-]+$/.test(name));
}
