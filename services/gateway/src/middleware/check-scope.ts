import { AppError, type Scope } from '@gleaner/contracts';
import { expectSet, type Stage } from '../call.ts';

/** Throws FORBIDDEN unless the caller's key has the scope. */
export function checkScope(scope: Scope): Stage {
  return (_request, response, next) => {
    const { scopes } = expectSet(response.locals.call.caller, 'caller');
    if (!scopes.includes(scope)) {
      throw new AppError('FORBIDDEN', {
        message: `The API key lacks the scope "${scope}"; it has: ${scopes.join(', ')}.`,
        suggestion: `Use a key that has the scope, or create one with: npm run keys -- create --scopes ${scope}`,
      });
    }
    next();
  };
}
