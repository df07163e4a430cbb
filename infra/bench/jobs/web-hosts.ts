/** Domain of the hosts of a web that is computed. */
export const WEB_DOMAIN = 'web.test';

/** Returns the name of a host of the web by its number. */
export function webHost(number: number): string {
  return `h${number}.${WEB_DOMAIN}`;
}

/** Returns the number of a host, with or without a port; undefined for any other name. */
export function hostNumberOf(host: string | undefined): number | undefined {
  const digits = /^h(\d+)\.web\.test(?::\d+)?$/.exec(host ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}
