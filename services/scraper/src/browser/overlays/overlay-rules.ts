import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { findSelectorError } from '@gleaner/extraction';

/** A rule of autoconsent, as far as it is looked at here; the script in the page reads the rest. */
interface Rule {
  readonly name: string;
  readonly runContext?: { readonly main?: boolean; readonly urlPattern?: string };
  readonly prehideSelectors?: readonly string[];
  /** Steps that check the outcome; never run here. */
  readonly test?: unknown;
}

interface OverlayRules {
  /** The library, as a CommonJS module. */
  readonly library: string;
  /** Rules for every site, as the JSON texts of an array's entries. */
  readonly general: string;
  readonly ofSites: readonly { readonly pattern: RegExp; readonly json: string }[];
  /** CSS list of everything that the layers of known platforms are made of. */
  readonly layers: string;
}

/** Attribute of the elements hidden, or dismissed by their button, without a rule that names them. */
export const DISMISSED = 'data-gleaner-dismissed';

/** Returns the library, and the rules for a page as the JSON text of an array. */
export function rulesFor(url: string): { readonly library: string; readonly rules: string } {
  const { library, general, ofSites } = load();
  const ofSite = ofSites.filter(({ pattern }) => pattern.test(url)).map(({ json }) => json);
  return { library, rules: `[${[...ofSite, general].join()}]` };
}

/** Returns a CSS list that matches the layers of known platforms, shown or not, and what was dismissed without a rule. */
export function layerSelectors(): string {
  return load().layers;
}

let loaded: OverlayRules | undefined;

/** Loads the rules when a request first needs them: most scrapers never do, and they take some megabytes. */
function load(): OverlayRules {
  loaded ??= read();
  return loaded;
}

function read(): OverlayRules {
  const require = createRequire(import.meta.url);
  const library = readFileSync(require.resolve('@duckduckgo/autoconsent'), 'utf8');
  const bundle = readFileSync(require.resolve('@duckduckgo/autoconsent/rules/rules.json'), 'utf8');
  const { autoconsent } = JSON.parse(bundle) as { readonly autoconsent: readonly Rule[] };
  const rules = autoconsent.filter(({ runContext }) => runContext?.main !== false);
  const general = rules.filter(({ runContext }) => !runContext?.urlPattern);
  return {
    library,
    general: general.map(toJson).join(),
    ofSites: rules.flatMap((rule) => {
      const { urlPattern } = rule.runContext ?? {};
      return urlPattern ? [{ pattern: new RegExp(urlPattern), json: toJson(rule) }] : [];
    }),
    layers: [`[${DISMISSED}]`, ...LAYERS, ...general.flatMap((rule) => rule.prehideSelectors ?? [])]
      .filter((css) => findSelectorError(css) === undefined)
      .join(),
  };
}

function toJson({ test: _test, ...rule }: Rule): string {
  return JSON.stringify(rule);
}

/** Layers of platforms whose rules are code, or name no selectors, in version 16.23 of the library. */
export const LAYERS = [
  '#onetrust-banner-sdk,#onetrust-consent-sdk,.onetrust-pc-dark-filter',
  '#CybotCookiebotDialog,#CybotCookiebotDialogBodyUnderlay,#cb-cookieoverlay',
  'div[id^="sp_message_container_"],#sp_privacy_manager_container',
  '.trustarc-banner-container,.truste_popframe,.truste_overlay,.truste_box_overlay,#truste-consent-track',
  '#cmpbox,#cmpbox2,#cmpwrapper',
  '#usercentrics-root,#usercentrics-cmp-ui,#usercentrics-button',
  '#didomi-host,#qc-cmp2-container,.klaro,.unic,#_evidon_banner',
];
