/** Lets a test wait for what it looks for, never for time: every change of the fake asks again. */
export class Changes {
  readonly #looks = new Set<() => void>();

  /** Something may look different now. */
  note(): void {
    for (const look of [...this.#looks]) look();
  }

  /** Resolves with the first answer that is neither `undefined`, `null` nor `false`. */
  until<T>(look: () => T | undefined | null | false): Promise<T> {
    return new Promise((resolve, reject) => {
      const again = (): void => {
        try {
          const found = look();
          if (found === undefined || found === null || found === false) return;
          this.#looks.delete(again);
          resolve(found);
        } catch (error) {
          this.#looks.delete(again);
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      };
      this.#looks.add(again);
      again();
    });
  }
}
