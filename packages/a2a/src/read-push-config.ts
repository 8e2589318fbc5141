import { arrayOf, idOf, isObject, type JsonObject, objectOf, textOf, textsOf } from './json-value.ts';

/** Where an agent posts what happens to a task. */
export interface PushConfig {
  readonly id: string | undefined;
  readonly taskId: string | undefined;
  readonly url: string;
  readonly token: string | undefined;
  readonly authentication: { readonly scheme: string; readonly credentials: string | undefined } | undefined;
  readonly source: JsonObject;
}

export interface PushConfigPage {
  readonly configs: readonly PushConfig[];
  readonly nextPageToken: string | undefined;
}

/** A push notification configuration, flat (1.0) or wrapped with its task's id (0.3, both bindings). */
export function readPushConfig(value: unknown): PushConfig | undefined {
  const outer = objectOf<'taskId' | 'name' | 'pushNotificationConfig'>(value);
  const source = outer?.pushNotificationConfig ?? value;
  const config = objectOf<'id' | 'taskId' | 'url' | 'token' | 'authentication'>(source);
  const url = textOf(config?.url);
  if (outer === undefined || config === undefined || !isObject(source) || url === undefined) return undefined;
  const [, task, own] = /^tasks\/([^/]+)\/pushNotificationConfigs\/(.*)$/.exec(textOf(outer.name) ?? '') ?? [];
  return {
    id: idOf(config.id) ?? idOf(own),
    taskId: idOf(outer.taskId) ?? idOf(config.taskId) ?? task,
    url,
    token: idOf(config.token),
    authentication: readAuthentication(config.authentication),
    source,
  };
}

/** Their list: an object with `configs`, or the bare array of 0.3. `undefined` when it is neither. */
export function readPushConfigs(value: unknown): PushConfigPage | undefined {
  const page = Array.isArray(value) ? { configs: value } : objectOf<'configs' | 'nextPageToken'>(value);
  if (page === undefined) return undefined;
  const configs = arrayOf(page.configs).flatMap((item) => readPushConfig(item) ?? []);
  return { configs, nextPageToken: 'nextPageToken' in page ? idOf(page.nextPageToken) : undefined };
}

function readAuthentication(value: unknown): PushConfig['authentication'] {
  const authentication = objectOf<'scheme' | 'schemes' | 'credentials'>(value);
  const scheme = textOf(authentication?.scheme) ?? textsOf(authentication?.schemes)[0];
  return scheme === undefined ? undefined : { scheme, credentials: textOf(authentication?.credentials) };
}
