/** Brand of a browser in client hints (https://wicg.github.io/ua-client-hints/). */
export interface Brand {
  readonly brand: string;
  readonly version: string;
}

/** Consistent description of desktop Chrome in requests and pages. */
export interface ChromeDescription {
  readonly major: number;
  readonly userAgent: string;
  readonly brands: readonly Brand[];
  /** Name of the system in client hints. */
  readonly platform: string;
  /** Value of `navigator.platform`. */
  readonly navigatorPlatform: string;
}

interface System {
  readonly platform: string;
  readonly navigatorPlatform: string;
  /** Part of the User-Agent, which Chrome has frozen (https://www.chromium.org/updates/ua-reduction/). */
  readonly token: string;
}

const LINUX: System = {
  platform: 'Linux',
  navigatorPlatform: 'Linux x86_64',
  token: 'X11; Linux x86_64',
};

/** Systems by node's name: the claimed system is the real one, because TCP reveals it. */
const SYSTEMS: Readonly<Partial<Record<NodeJS.Platform, System>>> = {
  linux: LINUX,
  darwin: {
    platform: 'macOS',
    navigatorPlatform: 'MacIntel',
    token: 'Macintosh; Intel Mac OS X 10_15_7',
  },
  win32: { platform: 'Windows', navigatorPlatform: 'Win32', token: 'Windows NT 10.0; Win64; x64' },
};

/** Describes the Chrome of a major version on the system that node runs on. */
export function describeChrome(
  major: number,
  nodePlatform: NodeJS.Platform = process.platform,
): ChromeDescription {
  const { token, platform, navigatorPlatform } = SYSTEMS[nodePlatform] ?? LINUX;
  return {
    major,
    userAgent: `Mozilla/5.0 (${token}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`,
    brands: chromeBrands(major),
    platform,
    navigatorPlatform,
  };
}

const GREASE_CHARACTERS = [' ', '(', ':', '-', '.', '/', ')', ';', '=', '?', '_'];
const GREASE_VERSIONS = ['8', '99', '24'];
/** Positions of the made-up brand, Chromium and Chrome. */
const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;

/** Returns Chrome's brands; the made-up one and the order follow from the version (components/embedder_support/user_agent_utils.cc). */
function chromeBrands(major: number): readonly Brand[] {
  const character = (index: number) => GREASE_CHARACTERS[index % GREASE_CHARACTERS.length] ?? '';
  const version = String(major);
  const brands: readonly Brand[] = [
    {
      brand: `Not${character(major)}A${character(major + 1)}Brand`,
      version: GREASE_VERSIONS[major % GREASE_VERSIONS.length] ?? '',
    },
    { brand: 'Chromium', version },
    { brand: 'Google Chrome', version },
  ];
  const places = ORDERS[major % ORDERS.length] ?? ORDERS[0];
  return brands.toSorted((a, b) => (places[brands.indexOf(a)] ?? 0) - (places[brands.indexOf(b)] ?? 0));
}
