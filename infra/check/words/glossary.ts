/** Words that docs, comments and messages may not use, each with the words to write instead. */
export interface RetiredWord {
  pattern: RegExp;
  instead: string;
  /** Folders that use the word in its technical sense. */
  except?: readonly string[];
}

const FAULT_INJECTION = ['infra/chaos'] as const;

const NOT_AFTER_THERE = '(?<!\\bthere(?: also| still)? )';
const COMPARISON =
  'longer|more|less|later|earlier|fewer|bigger|larger|smaller|greater|slower|faster|worse|better|different|other|such';
const NOUN_BEFORE_TRY = 'a|one|each|every|its|first|second|third|last|next|another|per|failed';

/** Matched within one comment, string or paragraph, in which every white space counts as one space. */
export const RETIRED_WORDS: readonly RetiredWord[] = [
  { pattern: /\bnobody\b/i, instead: 'name the component ("no worker"), or "no one"' },
  { pattern: /\bsomebody\b/i, instead: 'name the actor ("a client"), or "someone"' },
  { pattern: /\bwho(?:m)?ever\b/i, instead: 'name the actor, and start with what it does' },
  { pattern: /\banew\b/i, instead: '"again"' },
  { pattern: /\bmeanwhile\b/i, instead: '"while …", "during …"' },
  { pattern: /\bin place of\b/i, instead: '"instead of"' },
  { pattern: /\bof late\b/i, instead: '"recently"' },
  { pattern: /\bof no use\b/i, instead: '"does not help"' },
  { pattern: new RegExp(`${NOT_AFTER_THERE}\\b(?:is|are) none\\b`, 'i'), instead: '"is not a …"' },
  {
    pattern: new RegExp(`${NOT_AFTER_THERE}\\b(?:is|are) no (?!(?:${COMPARISON})\\b)`, 'i'),
    instead: '"is not a …", "is not a valid …"',
  },
  { pattern: /(?<!\bso )\bthat there are\b/i, instead: '"existing …", or leave it out' },
  { pattern: /\bwhat (?:came|comes|had come) of\b/i, instead: '"the result of …", "the outcome of …"' },
  { pattern: /\bthe way (?:it|they) went\b/i, instead: '"the outcome"' },
  { pattern: /\bcallers are about\b/i, instead: '"interactive traffic is present"' },
  { pattern: /\bdisappointments?\b/i, instead: '"error"' },
  { pattern: /\btroubles?\b/i, instead: '"error", "problem"' },
  { pattern: /\brefusals?\b/i, instead: '"error", "rejection"' },
  {
    pattern: /(?<!\bpage |\bsegmentation )\bfaults?\b(?! injection)/i,
    instead: '"error", or "failure"',
    except: FAULT_INJECTION,
  },
  { pattern: new RegExp(`\\b(?:${NOUN_BEFORE_TRY}) (?:try|tries)\\b`, 'i'), instead: '"attempt"' },
  { pattern: /\bdoses?\b/i, instead: '"attempt", "portion"' },
  { pattern: /\bparcels?\b/i, instead: '"request"' },
  { pattern: /\bcarriages?\b(?! returns?)/i, instead: '"response", "connection"' },
  { pattern: /\bcarriers?\b(?!-grade)/i, instead: '"client"' },
  { pattern: /\bwires\b/i, instead: '"connections"' },
  {
    pattern:
      /\b\w*(?:authori|canonicali|categori|customi|finali|generali|initiali|locali|materiali|maximi|minimi|neutrali|normali|optimi|organi|penali|prioriti|randomi|reali|recogni|seriali|speciali|stabili|summari|synchroni|tokeni|utili|visuali)s(?:e|es|ed|er|ers|ing|able|ation|ations)\b/i,
    instead: 'the American spelling, with "z"',
  },
  { pattern: /\banalys(?:e|ed|er|ing)\b/i, instead: 'the American spelling, "analyze"' },
  {
    pattern:
      /\b(?:dis|mis|un)?(?:behaviour|colour|endeavour|favour|flavour|harbour|honour|humour|labour|neighbour|rumour|vapour)\w*/i,
    instead: 'the American spelling, with "or"',
  },
  {
    pattern: /\b(?:centre|centres|centred|fibre|fibres|theatre)\b/i,
    instead: 'the American spelling, with "er"',
  },
  { pattern: /\b(?:defence|offence|licence|pretence)s?\b/i, instead: 'the American spelling, with "se"' },
  {
    pattern: /\b(?:channell|fuell|labell|levell|modell|signall|travell|tunnell)(?:ed|er|ers|ing)\b/i,
    instead: 'the American spelling, with one "l"',
  },
  { pattern: /\b(?:catalogue|catalogues|catalogued)\b/i, instead: '"catalog"' },
  { pattern: /\bgrey\b/i, instead: '"gray"' },
  { pattern: /\bfulfils?\b/i, instead: '"fulfill"' },
  { pattern: /\bartefacts?\b/i, instead: '"artifact"' },
];

/** The first words that a doc comment may not have: a verb (functions) or a noun phrase (types) comes first. */
export const RETIRED_OPENING: RetiredWord = {
  pattern: /^(?:what|who|whoever|whether|of|where|how)\b/i,
  instead: 'a verb ("Returns …") or a noun phrase ("Outcome of …") first',
};
