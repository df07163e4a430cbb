import { AppError, type Scope } from '@gleaner/contracts';
import type { Caller } from '../authentication.ts';
import { expectSet, type Stage } from '../call.ts';

/** Rejects HTTP/0.9 and HTTP/2.0 in the request line; Node's parser reads both as HTTP/1. */
export function checkVersion(): Stage {
  return (request, response, next) => {
    if (request.httpVersionMajor !== 1) {
      response.setHeader('Connection', 'close');
      throw new AppError('INVALID_REQUEST', {
        message: `The request came as HTTP/${request.httpVersion}.`,
        suggestion: 'Send it as HTTP/1.1.',
      });
    }
    next();
  };
}

/** Rejects requests without a usable target: no Host header or several (RFC 9112, section 3.2), or invalid percent-encoding. */
export function checkTarget(): Stage {
  return (request, response, next) => {
    const hosts = request.headersDistinct.host ?? [];
    if (hosts.length > 1 || (hosts.length === 0 && request.httpVersion === '1.1')) {
      response.setHeader('Connection', 'close');
      throw new AppError('INVALID_REQUEST', {
        message: `The request has ${hosts.length === 0 ? 'no Host header' : 'several Host headers'}.`,
        suggestion: 'Send the header Host once, as HTTP/1.1 requires.',
      });
    }
    if (!isDecodable(request.path)) {
      throw new AppError('INVALID_REQUEST', {
        message: 'The path contains invalid percent-encoding.',
        suggestion: 'Encode the path as UTF-8 with %XX; a percent sign itself is %25.',
      });
    }
    next();
  };
}

/** Records the route of the call, for the log and the metrics; `noteWork` hears when it begins and ends. */
export function nameRoute(
  name: string,
  { noteWork }: { readonly noteWork?: (name: string) => void } = {},
): Stage {
  return (_request, response, next) => {
    response.locals.call.route = name;
    if (noteWork) {
      noteWork(name);
      response.once('close', () => noteWork(name));
    }
    next();
  };
}

/** Throws FORBIDDEN unless the caller's key has the scope; `any` asks for none. */
export function checkScope(scope: Scope | 'any'): Stage {
  return (_request, response, next) => {
    if (scope !== 'any') requireScope(expectSet(response.locals.call.caller, 'caller'), scope);
    next();
  };
}

/** Throws FORBIDDEN unless the caller's key has the scope. */
export function requireScope({ scopes }: Pick<Caller, 'scopes'>, scope: Scope): void {
  // Admin keys of versions without profiles do not name the scope, and may create a key that does.
  if (scopes.includes(scope) || (scope === 'profiles' && scopes.includes('admin'))) return;
  throw new AppError('FORBIDDEN', {
    message: `The API key lacks the scope "${scope}"; it has: ${scopes.join(', ')}.`,
    suggestion: `Use a key that has the scope, or create one with: npm run keys -- create --scopes ${scope}`,
  });
}

function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
