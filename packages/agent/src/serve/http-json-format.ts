import { restStatusOf } from '@agentkourier/a2a/rest-error';
import { type Format, frame } from './format.ts';
import type { Asked } from './sink.ts';

/** The media type that the caller names, because 1.0.1 and 1.0.0 differ: `application/a2a+json` for whoever knows it. */
export function httpJsonFormat(asked: Asked): Format {
  const knows = [asked.header('accept'), asked.header('content-type')].some((type) =>
    type?.includes('application/a2a+json'),
  );
  return {
    contentType: knows ? 'application/a2a+json' : 'application/json',
    sent: (task) => JSON.stringify({ task }),
    frames: (news) => frame(news.json),
    result: (result) => JSON.stringify(result),
    error: ({ code, message, data }, given) => {
      const [own, name] = restStatusOf(code);
      const status = given ?? own;
      return { status, body: JSON.stringify({ error: { code: status, status: name, message, details: data ?? [] } }) };
    },
  };
}
