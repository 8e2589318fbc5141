import { PRINCIPAL_KINDS } from '../../core/access/principal.ts';
import type { Command } from '../command.ts';

export const SPACE_ACTIONS = ['serve', 'connect', 'key'] as const;

export const SPACE: Command = {
  name: 'space',
  summary: 'run a Space: a directory of agents and the gateway to them',
  details: [
    'serve: runs it. Without --config it is the Space space-demo with the demo agent, on loopback, for whoever is on this machine. SIGTERM or SIGINT: takes no new calls, and ends with exit code 0.',
    'connect: dials out to a Space from beside an agent that nobody can reach, and passes the calls that come back on to --to, until SIGTERM or SIGINT; a lost connection is dialled again.',
    'key: prints a new API key, which is nowhere else, on standard output, and the document to configure on standard error. The document holds a hash: it is no secret.',
    'Exit code 0: stopped, or done. 1: it failed; the Space does not take the agent. 2: wrong usage, or a configuration or file that cannot be read.',
  ],
  operands: [{ name: 'ACTION', choices: SPACE_ACTIONS, optional: false }],
  options: [
    {
      name: 'config',
      of: ['serve'],
      value: 'PATH',
      offers: 'files',
      many: true,
      summary: 'serve: a YAML file, or a folder of *.yaml and *.yml files; more than one are read together',
    },
    {
      name: 'set',
      of: ['serve'],
      value: 'KEY=VALUE',
      many: true,
      summary:
        'serve: a key of Gateway.spec, as publicUrl=https://HOST; or log.level=debug|info|warn|error, secrets.dir=DIR (secrets as files DIR/NAME/KEY)',
    },
    {
      name: 'data',
      of: ['serve'],
      value: 'DIR',
      offers: 'folders',
      summary: 'serve: where the Space is kept (default: STATE/space)',
    },
    { name: 'host', of: ['serve'], value: 'HOST', summary: 'serve: the address to listen on (default: 127.0.0.1)' },
    { name: 'port', of: ['serve'], value: 'PORT', summary: 'serve: the port, 0 for a free one (default: 8090)' },
    {
      name: 'space',
      of: ['connect'],
      value: 'URL',
      summary: 'connect: where the Space is served, https://HOST with a path if need be',
    },
    {
      name: 'space-id',
      of: ['connect', 'key'],
      value: 'ID',
      many: true,
      summary: 'connect: the Space; key: ID:ROLE, an id or * for all of the tenant, and caller, publisher or operator',
    },
    { name: 'agent', of: ['connect'], value: 'ID', summary: 'connect: the agent, as it is registered there' },
    {
      name: 'key-file',
      of: ['connect'],
      value: 'FILE',
      offers: 'files',
      summary: 'connect: the API key of a publisher of the Space, alone in a file',
    },
    {
      name: 'to',
      of: ['connect'],
      value: 'URL',
      summary: 'connect: where the agent listens; only paths below it are passed on',
    },
    {
      name: 'allow-plain',
      of: ['connect'],
      summary:
        'connect: let key and calls go unencrypted (http://) to another machine, where nobody listens on the way',
    },
    { name: 'name', of: ['key'], value: 'NAME', summary: 'key: whom it is for, as callers are told apart' },
    { name: 'tenant', of: ['key'], value: 'TENANT', summary: 'key: whose Spaces it is for' },
    {
      name: 'kind',
      of: ['key'],
      value: 'KIND',
      choices: PRINCIPAL_KINDS,
      summary: 'key: user, service (default) or runtime',
    },
    { name: 'expires', of: ['key'], value: 'TIME', summary: 'key: a day or a time in UTC (default: never)' },
  ],
};
