/** What `kourier-on-slack.ts` tells of the product that it runs, at its workspace. */
export const CONFIGURE = '/configure';
export const READY = '/ready';
export const BEGAN = '/began';

export interface Told {
  readonly config?: string;
  readonly url?: string;
  readonly thread?: string;
}
