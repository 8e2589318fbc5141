import { inert } from '../inert.ts';
import type { CardOptions } from './card-options.ts';
import { NotFound, type Reading } from './read-json.ts';
import { sign } from './sign.ts';
import { validate } from './validate.ts';
import { verify } from './verify.ts';

export interface CardOutside extends Reading {
  /** Text on standard output. */
  print(text: string): void;
  /** One line on standard error. */
  complain(line: string): void;
}

/** Does what `kourier card` was asked for; whether the card stood it. Throws `UsageError`. */
export async function card(options: CardOptions, outside: CardOutside): Promise<boolean> {
  try {
    switch (options.action) {
      case 'validate': {
        const { valid, text } = await validate(options, outside);
        outside.print(text);
        return valid;
      }
      case 'sign': {
        const { card: signed, aside } = await sign(options, outside);
        if (signed !== undefined) outside.print(signed);
        for (const line of aside.split('\n')) if (line !== '') outside.complain(`kourier: ${line}`);
        return signed !== undefined;
      }
      case 'verify': {
        const { verified, text } = await verify(options, outside);
        outside.print(text);
        return verified;
      }
    }
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    outside.complain(`kourier: ${inert(error.message, 1_000)}; write the address of an agent, or of its card`);
    return false;
  }
}
