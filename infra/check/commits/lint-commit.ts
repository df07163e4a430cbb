import conventional from '@commitlint/config-conventional';
import lint from '@commitlint/lint';

const LONGEST_SUBJECT = 72;

const RULES = {
  ...conventional.rules,
  'header-max-length': [2, 'always', LONGEST_SUBJECT],
  // A command or an address in a body is better left in one piece.
  'body-max-line-length': [0],
  'footer-max-line-length': [0],
} as const;

const PARSER = {
  headerPattern: /^(\w*)(?:\(([^()]*)\))?!?: (.*)$/,
  headerCorrespondence: ['type', 'scope', 'subject'],
};

/** Returns what is wrong with a commit message, as sentences; nothing when it is a Conventional Commit. */
export async function lintCommit(message: string): Promise<string[]> {
  const { errors } = await lint(message, RULES, { parserOpts: PARSER });
  return errors.map((problem) => problem.message);
}
