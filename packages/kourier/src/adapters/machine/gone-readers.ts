/**
 * Whoever reads what we print may leave before its end, as `head` does. What is printed from then on goes nowhere, and
 * nothing fails by it: a process that serves goes on, and one that was asked something ends as it would have.
 */
export function bearGoneReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
