/** What a run has found to be wrong. The code under test may swallow what is thrown in it, so nothing is thrown. */
export class Findings {
  readonly all: string[] = [];

  add(what: string): void {
    this.all.push(what);
  }

  unless(holds: boolean, what: () => string): void {
    if (!holds) this.all.push(what());
  }
}
