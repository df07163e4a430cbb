import type { Signal } from '@gleaner/contracts';
import { type PageMachinery, SCANNED_CHARACTERS, scanMachinery } from '../scan-machinery.ts';

/** Classes of the widgets of captchas that a person has to solve. */
const CAPTCHA_CLASSES = [
  'g-recaptcha',
  'h-captcha',
  'cf-turnstile',
  'frc-captcha',
  'mtcaptcha',
  'smart-captcha',
];

/** Frames with a captcha to solve. */
const CAPTCHA_FRAME =
  /^(?:https?:)?\/\/(?:(?:www\.)?(?:google\.com|recaptcha\.net)\/recaptcha\/|[\w.-]*hcaptcha\.com\/|challenges\.cloudflare\.com\/|[\w.-]*(?:arkoselabs|funcaptcha)\.com\/|[\w.-]*geetest\.com\/|[\w.-]*captcha-delivery\.com\/)/;

/** A page without these has none of the signals, as nearly all. */
const ANY_MARK =
  /captcha|turnstile|challenges\.cloudflare|arkoselabs|geetest|error404|prerender-status-code|next-error/i;

/** Returns the signals in the markup of a page with little text: captchas that are shown, and marks for machines. */
export function markupSignals(source: string): readonly Signal[] {
  const start = source.slice(0, SCANNED_CHARACTERS);
  if (!ANY_MARK.test(start)) return [];
  const machinery = scanMachinery(start);
  const [captcha, mark] = [findCaptcha(machinery), findNotFoundMark(machinery)];
  return [
    ...(captcha === undefined ? [] : [{ code: 'CAPTCHA_WIDGET' as const, evidence: captcha }]),
    ...(mark === undefined ? [] : [{ code: 'NOT_FOUND_MARK' as const, evidence: mark }]),
  ];
}

function findCaptcha({ classes, frames }: PageMachinery): string | undefined {
  const name = CAPTCHA_CLASSES.find((each) => classes.has(each));
  return name === undefined ? frames.find((frame) => CAPTCHA_FRAME.test(frame)) : `class ${name}`;
}

/**
 * Finds what WordPress, prerender.io and Next.js declare on pages that do not exist
 * (https://developer.wordpress.org/reference/functions/get_body_class/, https://docs.prerender.io/docs/11-best-practices,
 * https://nextjs.org/docs/app/api-reference/functions/not-found).
 */
function findNotFoundMark({ metas, bodyClasses }: PageMachinery): string | undefined {
  const status = metas.get('prerender-status-code') ?? '';
  if (/^\s*(?:404|410)\s*$/.test(status)) return `meta prerender-status-code ${status.trim()}`;
  if (metas.get('next-error') === 'not-found') return 'meta next-error not-found';
  return bodyClasses.has('error404') ? 'body class error404' : undefined;
}
