import { stringify } from 'yaml';
import type { Source } from '../yaml-documents.ts';

/** The Space that `kourier space serve` has without `--config`. */
export const DEMO_SPACE = 'space-demo';

/** What `kourier space serve` runs without `--config`: one Space without agents, open to whoever reaches loopback. */
export function demoSpaceConfiguration(): Source {
  const space = {
    apiVersion: 'agentkourier.dev/v1alpha1',
    kind: 'Space',
    metadata: { name: DEMO_SPACE },
    spec: {},
  };
  return { file: 'built-in demo', text: stringify(space) };
}
