import { once } from 'node:events';
import { connect } from 'node:net';
import type { Dial, DialTarget } from '@agentkourier/agent';
import { certificateFor } from '../../agent/test/certificate.ts';
import { UpstreamHost } from '../contract/upstream-host.ts';
import { PUBLIC_ADDRESS } from './agent-over-http.ts';

interface Cleanup {
  after(end: () => unknown): void;
}

/** A host behind TLS under names of the internet, which are looked up and dialled as the test says. */
export async function farUpstream(t: Cleanup, names: readonly string[] = ['agent.example']) {
  const certificate = certificateFor(names);
  const host = await UpstreamHost.start(certificate);
  t.after(() => host.stop());
  const [looked, dialled]: [string[], DialTarget[]] = [[], []];
  const answers = [[PUBLIC_ADDRESS]];
  const resolve = async (name: string): Promise<readonly string[]> =>
    answers[Math.min(looked.push(name), answers.length) - 1] ?? [];
  const dial: Dial = async (to) => {
    dialled.push(to);
    const socket = connect({ host: '127.0.0.1', port: host.port });
    await once(socket, 'connect');
    return socket;
  };
  /** `answers`: of each lookup in turn; the last stays. */
  return { host, looked, dialled, answers, access: { resolve, dial, ca: certificate.cert } };
}
