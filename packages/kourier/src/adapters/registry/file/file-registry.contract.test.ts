import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { registryContract } from '../../../../contract/registry.ts';
import { courierRegistry } from './courier-registry.ts';

registryContract('file', async (t, documents) => {
  const folder = await mkdtemp(join(tmpdir(), 'kourier-registry-'));
  const write = (next: readonly object[]): Promise<void> =>
    writeFile(join(folder, 'kourier.yaml'), next.map((document) => stringify(document)).join('---\n'));
  await write(documents);
  let refusals = 0;
  let told: (() => void) | undefined;
  const registry = await courierRegistry({
    paths: [folder],
    sets: [],
    warn: () => {
      refusals += 1;
      told?.();
    },
  });
  t.after(async () => {
    registry.close();
    await rm(folder, { recursive: true });
  });
  const refused = async (): Promise<void> => {
    if (refusals === 0) await new Promise<void>((resolve) => (told = resolve));
    refusals = 0;
  };
  return { registry, write, refused };
});
