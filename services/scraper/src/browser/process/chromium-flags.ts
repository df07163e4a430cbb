import { describeChrome } from '@gleaner/egress';

/**
 * Purpose of a browser: `plain` reads pages, `visual` draws them as people see them, with images and fonts, and
 * `disguised` looks like a browser that a person uses.
 */
export type BrowserKind = 'plain' | 'visual' | 'disguised';

/** Settings that Chromium's command line depends on. */
export interface ChromiumFlagOptions {
  /** The browser's own folder, for everything that it writes. */
  readonly profileDir: string;
  readonly isSandboxed: boolean;
  readonly kind: BrowserKind;
  /** Version as Chromium prints it; '' when it prints none. */
  readonly version: string;
  /** True when /dev/shm has room for the memory that renderers share. */
  readonly hasSharedMemory: boolean;
}

/** A common desktop size, which sites are designed for. */
export const VIEWPORT = { width: 1280, height: 800 } as const;

/** Heap for a page's scripts in MB; a page that needs more crashes its own tab. */
const SCRIPT_HEAP_MB = 512;

/**
 * The default proxy, a port where nothing listens (discard): every context has its own proxy, so traffic outside of any
 * context goes nowhere.
 */
const UNREACHABLE_PROXY = 'http://127.0.0.1:9';

/** All traffic goes through the proxy, to loopback too; no name is resolved here; nothing but HTTP over TCP. */
const TRAFFIC_FLAGS = [
  `--proxy-server=${UNREACHABLE_PROXY}`,
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--disable-quic',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--disable-breakpad',
  '--dns-prefetch-disable',
  '--no-pings',
];

/** Forbids what a page could do to a person: windows, prompts, sound. */
const RESTRAINT_FLAGS = [
  '--block-new-web-contents',
  '--deny-permission-prompts',
  '--disable-prompt-on-repost',
  '--disable-extensions',
  '--mute-audio',
  '--autoplay-policy=user-gesture-required',
];

/**
 * One process per context whatever its frames and tabs, no graphics card, no delays meant for a visible screen. Contexts
 * never share a process, so the limit only makes the tabs of one context share theirs.
 */
const ECONOMY_FLAGS = [
  '--renderer-process-limit=1',
  '--disable-site-isolation-trials',
  '--disable-gpu',
  '--disable-webgl',
  '--disable-hang-monitor',
  '--disable-backgrounding-occluded-windows',
  '--disable-background-timer-throttling',
  '--disable-renderer-backgrounding',
  '--disable-default-apps',
  '--disable-client-side-phishing-detection',
  '--disk-cache-size=1',
  '--hide-scrollbars',
  '--font-render-hinting=none',
  '--force-color-profile=srgb',
  '--no-first-run',
  '--no-default-browser-check',
  '--password-store=basic',
  '--use-mock-keychain',
  `--js-flags=--max-old-space-size=${SCRIPT_HEAP_MB}`,
];

/** A cookie goes to the origin that it was set for, not to other ports and schemes of its host. */
const ENABLED_FEATURES = ['EnablePortBoundCookies', 'EnableSchemeBoundCookies'];

const DISABLED_FEATURES = [
  'AcceptCHFrame',
  'AsyncDns',
  'AudioServiceOutOfProcess',
  'AutofillServerCommunication',
  'BackForwardCache',
  'DnsOverHttps',
  'FetchLaterAPI',
  'FetchRetry',
  'InterestFeedContentSuggestions',
  'IsolateOrigins',
  'MediaRouter',
  'NetworkPrediction',
  'OptimizationHints',
  'Prerender2',
  'ProcessPerSiteUpToMainFrameThreshold',
  'SpeculationRulesPrefetchFuture',
  'Translate',
  'WebTransport',
  'site-per-process',
];

/** Blink's interfaces that open other kinds of connections. */
const DISABLED_BLINK_FEATURES = [
  'WebTransport',
  'DirectSockets',
  'SpeculationRulesPrefetch',
  'FetchLaterAPI',
  'FetchRetry',
];

/** Features that every browser of a person has stay enabled here. */
const MUTE_FLAGS = ['--disable-notifications', '--disable-speech-api'];

interface KindFlags {
  readonly flags: readonly string[];
  readonly disabledBlinkFeatures: readonly string[];
}

const KIND_FLAGS: Readonly<Record<BrowserKind, KindFlags>> = {
  plain: {
    flags: [...MUTE_FLAGS, '--blink-settings=imagesEnabled=false', '--disable-remote-fonts'],
    disabledBlinkFeatures: [],
  },
  visual: { flags: [...MUTE_FLAGS, '--blink-settings=lazyLoadEnabled=false'], disabledBlinkFeatures: [] },
  disguised: {
    // A mouse (ui/base/pointer/pointer_device.h): fine pointer, which hovers.
    flags: [
      '--blink-settings=primaryPointerType=4,availablePointerTypes=4,primaryHoverType=2,availableHoverTypes=2,lazyLoadEnabled=false',
    ],
    // navigator.webdriver.
    disabledBlinkFeatures: ['AutomationControlled'],
  },
};

/** Builds Chromium's command line, without the path of the binary. */
export function chromiumFlags(options: ChromiumFlagOptions): string[] {
  const { profileDir, isSandboxed, kind, version, hasSharedMemory } = options;
  const { flags, disabledBlinkFeatures } = KIND_FLAGS[kind];
  return [
    '--headless',
    '--remote-debugging-pipe',
    `--user-data-dir=${profileDir}`,
    `--window-size=${VIEWPORT.width},${VIEWPORT.height}`,
    ...TRAFFIC_FLAGS,
    ...RESTRAINT_FLAGS,
    ...ECONOMY_FLAGS,
    `--enable-features=${ENABLED_FEATURES.join(',')}`,
    `--disable-features=${DISABLED_FEATURES.join(',')}`,
    `--disable-blink-features=${[...DISABLED_BLINK_FEATURES, ...disabledBlinkFeatures].join(',')}`,
    ...flags,
    // Shared workers get no User-Agent override later.
    ...(kind === 'disguised' && version !== ''
      ? [`--user-agent=${describeChrome(Number.parseInt(version, 10)).userAgent}`]
      : []),
    ...(isSandboxed ? [] : ['--no-sandbox']),
    ...(hasSharedMemory ? [] : ['--disable-dev-shm-usage']),
    '--no-startup-window',
  ];
}
