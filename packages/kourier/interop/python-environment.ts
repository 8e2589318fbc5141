import { fileURLToPath } from 'node:url';
import { type PythonEnvironment, pythonEnvironment } from '../../agent/interop/python-environment.ts';

const beside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** google-adk with a2a-sdk 1, over which a2a-sdk 0.3 may be laid. */
export function adkEnvironment(): Promise<PythonEnvironment> {
  return pythonEnvironment({
    name: 'google-adk',
    requirements: beside('requirements.txt'),
    overlay: beside('requirements-a2a-0.3.txt'),
  });
}
