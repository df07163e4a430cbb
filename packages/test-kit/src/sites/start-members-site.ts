import { Members, type MembersRules } from '../origin/behaviors/members.ts';
import { startOrigin } from '../origin/start-origin.ts';

/** A site with pages that need a login. */
export interface MembersSite extends Members, AsyncDisposable {
  /** Without a slash at its end. */
  readonly origin: string;
  close(): Promise<void>;
}

/** Starts a site with a login and sessions of its own. */
export async function startMembersSite(rules: Partial<MembersRules> = {}): Promise<MembersSite> {
  const members = new Members(rules);
  const { url, close } = await startOrigin({ routes: members.routes });
  return Object.assign(members, { origin: url, close, [Symbol.asyncDispose]: close });
}
