import type { Signal } from '@gleaner/contracts';
import type { FrontLayer } from '../../browser/overlays/find-front-layer.ts';
import { kindOfWords } from './page-words.ts';

/** Beginnings of the ids and classes of consent platforms. */
const VENDORS =
  /(?:^|\s)((?:onetrust|ot-sdk|cybotcookiebot|cookiebot|didomi|usercentrics|qc-cmp|sp_message|truste|trustarc|cky-|cookieyes|osano|klaro|iubenda|termly|cmplz|borlabs|brlbs|axeptio|cmpbox|fc-consent|tarteaucitron|evidon|ketch-|transcend|cc-window|cookie-?consent|cookie-?banner|cookie-?notice|gdpr|consent)[\w-]*)/i;

/** Names of cookies and of laws about them, where people are asked to accept them. */
const COOKIES =
  /cookie|kakor|informasjonskapsler|evästei|evästee|vafrakök|küpsis|sīkdat|slapuk|ciastecz|kolačić|piškot|çerez|sütik|куки|クッキー|쿠키|ملفات تعريف الارتباط|עוגיות|gdpr|dsgvo|rgpd|avg-wet/i;

/** Returns the signal of a layer that asks for consent, in a list: by its vendor's names, or by the beginning of what it says. */
export function consentSignals(layer: FrontLayer | undefined): readonly Signal[] {
  if (!layer) return [];
  const vendor = VENDORS.exec(layer.names)?.[1];
  if (vendor !== undefined) return [{ code: 'CONSENT_LAYER', evidence: `element ${vendor}` }];
  const asks = COOKIES.test(layer.text) || kindOfWords(layer.text) === 'consent';
  return layer.isDialog && asks ? [{ code: 'CONSENT_LAYER', evidence: layer.text }] : [];
}
