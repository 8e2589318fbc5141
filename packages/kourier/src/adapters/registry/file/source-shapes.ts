import { checkDocument, type Found } from './documents.ts';
import type { Problem, Report } from './problem.ts';
import type { Command } from './schema/kinds.ts';
import { type Source, type YamlDocument, yamlDocuments } from './yaml-documents.ts';

interface Shape {
  readonly text: string;
  readonly documents: readonly { readonly document: YamlDocument; readonly found: Found }[];
  readonly problems: readonly Problem[];
}

/** The documents of sources, each in its kind. A source that says the same as at the last reading is not parsed again. */
export class SourceShapes {
  readonly #command: Command;
  #known: ReadonlyMap<string, Shape> = new Map();

  /** `command`: whose kinds they are. */
  constructor(command: Command) {
    this.#command = command;
  }

  /** Reports what is wrong with each source by itself. */
  read(sources: readonly Source[], report: Report): Shape['documents'] {
    const now = new Map<string, Shape>();
    for (const source of sources) {
      const before = this.#known.get(source.file);
      now.set(source.file, before?.text === source.text ? before : shapeOf(source, this.#command));
    }
    this.#known = now;
    const shapes = [...now.values()];
    for (const problem of shapes.flatMap(({ problems }) => problems)) report(problem);
    return shapes.flatMap(({ documents }) => documents);
  }
}

function shapeOf(source: Source, command: Command): Shape {
  const problems: Problem[] = [];
  const report: Report = (problem) => problems.push(problem);
  const documents = yamlDocuments(source, report).map((document) => ({
    document,
    found: checkDocument(document, command, report),
  }));
  return { text: source.text, documents, problems };
}
