import { canonicalJson } from '@agentkourier/a2a/canonical-json';
import { duplicateNames } from '@agentkourier/a2a/duplicate-names';
import { jsonExcess } from '@agentkourier/a2a/json-bounds';
import { isObject, type JsonObject, parseJson } from '@agentkourier/a2a/json-value';
import { CARD_LIMITS } from '@agentkourier/a2a/limits';
import { LIMITS } from '../../../../core/limits.ts';
import type { FileText } from '../read-file.ts';
import type { Say } from '../speaker.ts';
import type { Path } from '../yaml-documents.ts';

/** The JSON object in a file that a document refers to at `path`; what is wrong with it is reported there. */
export function givenJson(file: FileText, called: string, path: Path, say: Say): JsonObject | undefined {
  if (file.kind === 'fault') {
    say(path, `${called}: ${file.what}`, file.write);
    return undefined;
  }
  const value = isWithinBounds(file.text) ? parseJson(file.text) : undefined;
  if (!isObject(value)) say(path, `${called}: no JSON object`, 'write one, as { "name": … }');
  else if (duplicateNames(file.text).length > 0)
    say(path, `${called}: a member stands there twice`, 'keep one of them');
  else if (canonicalJson(value) === undefined) say(path, `${called}: a text in it is no Unicode`, 'correct it');
  else return value;
  return undefined;
}

function isWithinBounds(text: string): boolean {
  const { cardDepth: maxDepth } = CARD_LIMITS;
  const { jsonContainers: maxContainers, cardBytes: maxStringLength } = LIMITS;
  return jsonExcess(text, { maxDepth, maxContainers, maxStringLength }) === undefined;
}
