import type { ScreenshotOptions } from '@gleaner/contracts';
import { describeChrome } from '@gleaner/egress';
import { VIEWPORT } from '../process/chromium-flags.ts';
import type { Tab } from './open-tab.ts';

/** Window of a tab, in CSS pixels, and device pixels for each of them. */
interface Viewport {
  readonly width: number;
  readonly height: number;
  readonly scale: number;
}

/** Window of a common phone. */
const PHONE: Viewport = { width: 390, height: 844, scale: 2 };
const DESKTOP: Viewport = { ...VIEWPORT, scale: 1 };

/** Returns the window in which a page is visited for a screenshot with these options. */
export function viewportOf({ viewport, mobile }: ScreenshotOptions): Viewport {
  const { scale, ...usual } = mobile ? PHONE : DESKTOP;
  return viewport ? { scale: 1, ...viewport } : { scale, ...usual };
}

/** Gives a tab the window that a screenshot asks for, before it navigates; with `mobile`, it is one of Chrome on a phone. */
export async function setViewport({ browser, session }: Tab, options: ScreenshotOptions): Promise<void> {
  const { viewport, mobile = false } = options;
  if (!viewport && !mobile) return;
  const { width, height, scale } = viewportOf(options);
  await Promise.all([
    session.send('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      deviceScaleFactor: scale,
      mobile,
      screenWidth: Math.max(width, mobile ? 0 : 1920),
      screenHeight: Math.max(height, mobile ? 0 : 1080),
    }),
    ...(mobile
      ? [
          session.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 5 }),
          session.send('Network.setUserAgentOverride', phoneOf(browser.version)),
        ]
      : []),
  ]);
}

/** Describes Chrome on Android, of the browser's own version, as Chrome's reduced User-Agent does. */
function phoneOf(version: string) {
  const major = Number.parseInt(version, 10);
  const { brands } = describeChrome(major);
  return {
    userAgent: `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Mobile Safari/537.36`,
    platform: 'Linux armv81',
    userAgentMetadata: {
      brands: [...brands],
      platform: 'Android',
      platformVersion: '10',
      architecture: '',
      model: 'K',
      mobile: true,
    },
  };
}
