import type { Dialer } from '../../../../ports/space/space-configuration.ts';
import type { Checked } from '../documents.ts';
import type { Report } from '../problem.ts';
import { speaker } from '../speaker.ts';
import { DEFAULT_PORTS } from './resolve-space.ts';

interface DialerSpec {
  readonly proxy: string;
  readonly allow: { readonly hosts?: readonly string[]; readonly cidrs?: readonly string[] };
  readonly ports?: readonly number[];
}

export function resolveDialer(document: Checked, report: Report): Dialer {
  const { proxy, allow, ports = [] } = document.value['spec'] as DialerSpec;
  const { hosts = [], cidrs = [] } = allow;
  const say = speaker(document, report);
  if (new URL(proxy).protocol !== 'http:')
    say(['spec', 'proxy'], 'proxy is not http', 'write it as http://proxy.inside:3128: what goes through it is TLS');
  if (hosts.length + cidrs.length === 0) say(['spec', 'allow'], 'allow names nothing', 'write hosts or cidrs');
  return {
    name: document.name,
    proxy: new URL(proxy).origin,
    allow: { hosts, cidrs },
    ports: ports.length === 0 ? DEFAULT_PORTS : ports,
  };
}
