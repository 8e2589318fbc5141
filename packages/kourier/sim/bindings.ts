/** Whose threads there are. Each has the agent of its own name, `space` whom a Space says. */
export const BINDINGS = ['ops', 'research', 'space'] as const;

export const AGENTS_OF_SPACE = ['first', 'second'] as const;
