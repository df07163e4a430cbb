import { defineConfig, setting } from './setting.ts';

const PROXIES_EXAMPLE = 'us=http://user:password@proxy.example:8080,us=socks5://other.example:1080';

/** What a service can be told that knows of proxies; `packages/egress` reads the lists. */
export const PROXY_SETTINGS = defineConfig({
  PROXIES: {
    type: {
      ...setting.text,
      expected: 'pairs country=URL, or JSON (docs/proxies.md)',
      example: PROXIES_EXAMPLE,
    },
    default: undefined,
    meaning: 'The proxies of each country, for requests with proxy: http, https, socks5 or socks5h URLs.',
    isSecret: true,
  },
  PROXIES_FILE: {
    type: {
      ...setting.text,
      expected: 'the path of a JSON file (docs/proxies.md)',
      example: '/etc/gleaner/proxies.json',
    },
    default: undefined,
    meaning: 'A file with proxies of each country, beside those of PROXIES.',
  },
});
