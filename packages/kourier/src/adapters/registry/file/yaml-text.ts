import { stringify } from 'yaml';

/** A value as one YAML document. */
export const yamlText = (value: unknown): string => stringify(value);
