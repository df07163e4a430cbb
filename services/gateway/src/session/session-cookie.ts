import type { IncomingHttpHeaders } from 'node:http';

/** Name and attributes of the cookie that holds the secret of a session. */
export class SessionCookie {
  readonly #name: string;
  readonly #attributes: string;

  /** Browsers of callers that use https send the cookie back over https alone, and only to the host that set it. */
  constructor(publicUrl: string) {
    const isSecure = publicUrl.startsWith('https:');
    this.#name = isSecure ? '__Host-gleaner' : 'gleaner';
    this.#attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  }

  /** Returns the secret in the headers of a request. */
  read({ cookie = '' }: IncomingHttpHeaders): string | undefined {
    const prefix = `${this.#name}=`;
    const pairs = cookie.split(';').map((pair) => pair.trim());
    const value = pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length);
    return value !== undefined && SECRET.test(value) ? value : undefined;
  }

  /** Returns the Set-Cookie of a new session. The browser forgets it when it closes, at the latest. */
  set(secret: string): string {
    return `${this.#name}=${secret}; ${this.#attributes}`;
  }

  /** Returns the Set-Cookie that ends a session. */
  clear(): string {
    return `${this.#name}=; ${this.#attributes}; Max-Age=0`;
  }
}

const SECRET = /^[\w-]{20,100}$/;
