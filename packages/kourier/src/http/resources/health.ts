import type { Registry } from '../../ports/registry.ts';
import { get, json, type Route } from '../route.ts';

/** Text in Prometheus' format, from wherever the metrics are kept. */
export interface MetricsText {
  readonly contentType: string;
  text(): Promise<string>;
}

export interface HealthOptions {
  readonly registry: Pick<Registry, 'problems'>;
  readonly metrics: MetricsText;
  /** What is not ready yet or no longer, one line each; empty when all is. */
  readonly ready: () => readonly string[];
}

/**
 * Liveness, readiness, metrics. A configuration change that was refused is named by /readyz and does not make it
 * unready: the last good one works, and a mistyped file must not take every courier out of service at once.
 */
export function healthResource({ registry, metrics, ready }: HealthOptions): readonly Route[] {
  return [
    get(
      '/healthz',
      { summary: 'Whether the process lives', answers: { 200: { description: 'It does', schema: 'Health' } } },
      () => json({ status: 'ok' }),
    ),
    get(
      '/readyz',
      {
        summary: 'Whether the courier takes messages, and what is wrong',
        answers: {
          200: { description: 'It does', schema: 'Readiness' },
          503: { description: 'It does not, yet or any more', schema: 'Readiness' },
        },
      },
      () => {
        const notReady = ready();
        const isReady = notReady.length === 0;
        return json({ ready: isReady, notReady, problems: registry.problems() }, isReady ? 200 : 503);
      },
    ),
    get(
      '/metrics',
      {
        summary: 'Metrics for Prometheus',
        answers: { 200: { description: 'Prometheus text', contentType: 'text/plain' } },
      },
      async () => {
        const headers = {
          'content-type': metrics.contentType,
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        };
        return new Response(await metrics.text(), { headers });
      },
    ),
  ];
}
