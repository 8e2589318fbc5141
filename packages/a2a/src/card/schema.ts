/**
 * What a card may hold, as data: the judge and the canonical forms both read it, so that what is valid and what is
 * signed cannot drift apart.
 */
export type Kind =
  | TextKind
  | { readonly kind: 'boolean' }
  /** An object whose members are the agent's own. */
  | { readonly kind: 'free' }
  | { readonly kind: 'list'; readonly of: Kind; readonly filled?: true }
  | { readonly kind: 'map'; readonly of: Kind }
  | { readonly kind: 'object'; readonly shape: Shape }
  /** Objects that a member tells apart. */
  | {
      readonly kind: 'variants';
      readonly by: string;
      readonly shapes: Readonly<Record<string, Shape>>;
      /** As in a shape, for an object that is none of them. */
      readonly elsewhere: Readonly<Record<string, string>>;
    };

export interface TextKind {
  readonly kind: 'text';
  /** An empty text is no value. */
  readonly filled?: true;
  readonly oneOf?: readonly string[];
  /** `called`: clients connect to it, so it must be an http or https URL. `shown`: people open it. */
  readonly address?: 'called' | 'shown';
  readonly mediaType?: true;
}

export interface Field {
  readonly name: string;
  readonly is: Kind;
  /**
   * `optional` has presence: it was set, or it was not, whatever its value. `plain` has none: its default value and its
   * absence are the same (A2A 1.0 §5.7).
   */
  readonly presence: 'required' | 'optional' | 'plain';
}

export interface Shape {
  /** In the order of the specification, which is the order of the faults. */
  readonly fields: readonly Field[];
  /** Members that only the other version knows, and what this one writes in their place. */
  readonly elsewhere?: Readonly<Record<string, string>>;
  /** Exactly one of the fields is there. */
  readonly choice?: true;
}

export const must = (name: string, is: Kind): Field => ({ name, is, presence: 'required' });
export const may = (name: string, is: Kind): Field => ({ name, is, presence: 'optional' });
export const plain = (name: string, is: Kind): Field => ({ name, is, presence: 'plain' });

export const TEXT: Kind = { kind: 'text' };
export const FILLED: Kind = { kind: 'text', filled: true };
export const CALLED: Kind = { kind: 'text', address: 'called' };
export const SHOWN: Kind = { kind: 'text', address: 'shown' };
export const FLAG: Kind = { kind: 'boolean' };
export const FREE: Kind = { kind: 'free' };
export const TEXTS: Kind = { kind: 'list', of: TEXT };
export const MEDIA_TYPES: Kind = { kind: 'list', of: { kind: 'text', mediaType: true } };

export const list = (of: Kind): Kind => ({ kind: 'list', of });
export const map = (of: Kind): Kind => ({ kind: 'map', of });
export const object = (fields: readonly Field[], more?: Omit<Shape, 'fields'>): Kind => ({
  kind: 'object',
  shape: { fields, ...more },
});
