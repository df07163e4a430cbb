import { release } from 'node:os';
import type { ScrapeRequest } from '@gleaner/contracts';
import { describeChrome } from '@gleaner/egress';
import type { Protocol } from 'puppeteer-core';
import { timeZoneOf } from './time-zone-of.ts';

/** Browser, system and place of the person that a disguised browser claims to be used by. */
export interface Visitor {
  readonly userAgent: string;
  /** Value of `navigator.platform`. */
  readonly platform: string;
  readonly metadata: Protocol.Emulation.UserAgentMetadata;
  /** Most preferred first. */
  readonly languages: readonly string[];
  /** Undefined keeps the machine's own. */
  readonly timeZone: string | undefined;
}

/** Versions of systems where Node's `release()` is the kernel's version. */
const OTHER_VERSIONS: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: '15.5.0',
  win32: '15.0.0',
};

/**
 * Describes a Chrome of the browser's own version on its own system, since its claims must match its abilities. Time zone
 * and languages are those of the proxy's country, unless the caller's Accept-Language names others.
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

/** Returns the usual browser languages of a country (CLDR's likely subtags). */
function languagesOf(country: string | undefined): readonly string[] {
  if (country === undefined || !/^[a-z]{2}$/.test(country)) return ENGLISH;
  const { language, region } = new Intl.Locale(`und-${country}`).maximize();
  if (!region) return ENGLISH;
  return [`${language}-${region}`, language, ...(language === 'en' ? [] : ENGLISH)];
}

/** Returns the names in an Accept-Language header; browsers add the weights themselves. */
function namesIn(header: string): readonly string[] {
  const names = header.split(',').map((part) => part.split(';')[0]?.trim() ?? '');
  return names.filter((name) => /^[A-Za-z0-9-]+$/.test(name));
}
