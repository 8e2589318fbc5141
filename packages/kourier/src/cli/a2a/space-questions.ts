/** What a Space is asked by the command line. */
export const SPACE_QUESTIONS = ['discover', 'call', 'status', 'cancel'] as const;
export type SpaceAction = (typeof SPACE_QUESTIONS)[number];
