import { describeChrome } from '@gleaner/egress';

/**
 * What a browser is for: `plain` ones read pages, `visual` ones show them as people see them, with images and fonts, and
 * `disguised` ones pass for a browser that somebody sits at.
 */
export type BrowserKind = 'plain' | 'visual' | 'disguised';

/** What decides how Chromium is started. */
export interface ChromiumFlagOptions {
  /** The folder of its own that it keeps everything in. */
  readonly profileDir: string;
  readonly isSandboxed: boolean;
  readonly kind: BrowserKind;
  /** As Chromium gives it; '' when it does not. */
  readonly version: string;
  /** Whether /dev/shm has room for what renderers share. */
  readonly hasSharedMemory: boolean;
}

/** Pages of this size are what desktop sites are made for. */
export const VIEWPORT = { width: 1280, height: 800 } as const;

/** Pages get this much heap for their scripts, in MB; one that wants more crashes its own tab. */
const SCRIPT_HEAP_MB = 512;

/**
 * Nobody listens at this port (discard): every context has a proxy of its own, so what would leave the browser by
 * another way goes nowhere.
 */
const NO_WAY_OUT = 'http://127.0.0.1:9';

/** Traffic: only through the proxy, also to loopback; no names are resolved here; nothing that is not HTTP over TCP. */
const TRAFFIC_FLAGS = [
  `--proxy-server=${NO_WAY_OUT}`,
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

/** What a page may not do to whoever looks at it. */
const RESTRAINT_FLAGS = [
  '--block-new-web-contents',
  '--deny-permission-prompts',
  '--disable-prompt-on-repost',
  '--disable-extensions',
  '--mute-audio',
  '--autoplay-policy=user-gesture-required',
];

/** One process a page whatever its frames, no graphics card, no wait for anybody at a screen. */
const ECONOMY_FLAGS = [
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

const DISABLED_FEATURES = [
  'AcceptCHFrame',
  'AsyncDns',
  'AudioServiceOutOfProcess',
  'AutofillServerCommunication',
  'BackForwardCache',
  'DnsOverHttps',
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

/** Blink's interfaces that open connections of other kinds. */
const DISABLED_BLINK_FEATURES = ['WebTransport', 'DirectSockets', 'SpeculationRulesPrefetch'];

/** What is missing here is missing in no browser that somebody sits at. */
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

/** Chromium's command line, complete but for its path. */
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
    `--disable-features=${DISABLED_FEATURES.join(',')}`,
    `--disable-blink-features=${[...DISABLED_BLINK_FEATURES, ...disabledBlinkFeatures].join(',')}`,
    ...flags,
    // Workers that several pages share are told nothing later.
    ...(kind === 'disguised' && version !== ''
      ? [`--user-agent=${describeChrome(Number.parseInt(version, 10)).userAgent}`]
      : []),
    ...(isSandboxed ? [] : ['--no-sandbox']),
    ...(hasSharedMemory ? [] : ['--disable-dev-shm-usage']),
    '--no-startup-window',
  ];
}
