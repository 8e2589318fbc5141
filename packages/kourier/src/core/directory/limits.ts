/** Bounds on what cards bring into the directory, and on what is asked of it. Past one, text is cut and lists end. */
export const DIRECTORY_LIMITS = {
  /** As it is listed and searched: the name of an agent, a skill, a tag, an id, a media type. */
  listedNameCharacters: 256,
  /** A description, or an example. */
  listedTextCharacters: 4_096,
  listedSkills: 200,
  /** Of one skill; modes are also those of the card. */
  listedTags: 50,
  listedExamples: 20,
  listedModes: 50,
  /** A longer word counts by its beginning, in cards and in questions alike. */
  wordCharacters: 32,
  /** Different words of one skill, and of what an agent says of itself, that it is found by. */
  indexedWords: 1_000,
  /** Text of a question that is read, and the words of it that must match. */
  questionCharacters: 64 * 1_024,
  questionWords: 16,
  /** Agents of one page. */
  pageAgents: 200,
  /** A name orders the pages by its beginning; agents that begin alike follow by their ids. */
  orderedNameCharacters: 64,
  cursorCharacters: 1_024,
  /** Look-ups in the index for one page; past them the page ends early, and its cursor goes on from there. */
  pageSeeks: 4_000,
  /** Words of a message that choose its agent: those that fewest agents have. */
  routeWords: 64,
  /** Media types of a message, or of what its sender takes. */
  routeModes: 20,
  routeCandidates: 5,
  /** Skill ids that are named to whoever asked for one that is unknown, and those that are compared to find them. */
  nearestSkills: 3,
  comparedSkills: 500,
  /** Differences of two cards; the rest is counted. */
  cardChanges: 100,
  /** JSON text of one side of a difference. */
  cardChangeCharacters: 500,
  /** Nesting that is told apart, which is that of every card (`cardDepth`); what is below counts as changed. */
  cardChangeDepth: 64,
} as const;
