import { isShape, type Shape } from '../shape.ts';
import { invalid, SlackError } from '../slack-error.ts';

/** What a method was called with: a form, where everything is text and lists are JSON, or a JSON body. */
export class Arguments {
  readonly #given: Shape;

  private constructor(given: Shape) {
    this.#given = given;
  }

  static read(contentType: string, body: string): Arguments {
    if (contentType.startsWith('application/json')) {
      try {
        const parsed: unknown = body === '' ? {} : JSON.parse(body);
        if (isShape(parsed)) return new Arguments(parsed);
        throw new SlackError('json_not_object');
      } catch (error) {
        throw error instanceof SlackError ? error : new SlackError('invalid_json');
      }
    }
    if (!contentType.startsWith('application/x-www-form-urlencoded') && body !== '') {
      throw new SlackError('invalid_form_data');
    }
    return new Arguments(Object.fromEntries(new URLSearchParams(body)));
  }

  has(name: string): boolean {
    const value = this.#given[name];
    return value !== undefined && value !== null && value !== '';
  }

  /** Absent where it is empty. */
  text(name: string): string | undefined {
    const value = this.#given[name];
    if (value === undefined || value === null || value === '') return undefined;
    return typeof value === 'string' ? value : JSON.stringify(value);
  }

  required(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw invalid('invalid_arguments', `missing required field: ${name}`);
    return value;
  }

  flag(name: string): boolean {
    return ['true', '1'].includes(this.text(name) ?? '');
  }

  number(name: string, otherwise: number): number {
    const value = Number(this.text(name) ?? otherwise);
    return Number.isInteger(value) && value > 0 ? value : otherwise;
  }

  /** A list or an object; `code` is what a text that is none of them is answered with. Absent where it was not given. */
  json(name: string, code: string): unknown {
    const value = this.#given[name];
    if (value === undefined || value === null || value === '') return undefined;
    if (typeof value !== 'string') return value;
    try {
      return JSON.parse(value);
    } catch {
      throw invalid(code, `${name} is no JSON`);
    }
  }

  object(name: string, code: string): Shape | undefined {
    const value = this.json(name, code);
    if (value === undefined) return undefined;
    if (!isShape(value)) throw new SlackError(code);
    return value;
  }

  objects(name: string, code: string): readonly Shape[] | undefined {
    const value = this.json(name, code);
    if (value === undefined) return undefined;
    if (!Array.isArray(value) || !value.every(isShape)) throw new SlackError(code);
    return value;
  }

  toJSON(): Shape {
    return this.#given;
  }
}
