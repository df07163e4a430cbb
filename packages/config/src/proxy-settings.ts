import { defineConfig, setting } from './setting.ts';

const PROXIES_EXAMPLE = 'us=http://user:password@proxy.example:8080,us=socks5://other.example:1080';

/** Settings of a service that uses proxies; `packages/egress` parses the lists. */
export const PROXY_SETTINGS = defineConfig({
  PROXIES: {
    type: {
      ...setting.text,
      expected: 'pairs country=URL, or JSON (docs/proxies.md)',
      example: PROXIES_EXAMPLE,
    },
    default: undefined,
    meaning: 'Proxies by country, for requests with the option proxy: http, https, socks5 or socks5h URLs.',
    isSecret: true,
  },
  PROXIES_FILE: {
    type: {
      ...setting.text,
      expected: 'the path of a JSON file (docs/proxies.md)',
      example: '/etc/gleaner/proxies.json',
    },
    default: undefined,
    meaning: 'File with proxies by country, used in addition to PROXIES.',
  },
});
