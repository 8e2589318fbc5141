import type { Command, Option } from './command.ts';

const CONFIG: Option = {
  name: 'config',
  value: 'PATH',
  offers: 'files',
  many: true,
  summary: 'a YAML file, or a folder of *.yaml and *.yml files; more than one are read together',
};

const SET: Option = {
  name: 'set',
  value: 'KEY=VALUE',
  many: true,
  summary:
    'a key of Settings.spec, as timings.giveUpAfter=5m; or log.level=debug|info|warn|error, secrets.dir=DIR (secrets as files DIR/NAME/KEY)',
};

export const UP: Command = {
  name: 'up',
  summary: 'run the courier',
  details: [
    'Without --config it runs the built-in demo: a demo agent that needs no model, and a web page to talk to it.',
    'SIGTERM or SIGINT: takes no new turns, keeps what runs for the next start, and ends with exit code 0.',
  ],
  operands: [],
  options: [
    CONFIG,
    { name: 'data', value: 'DIR', offers: 'folders', summary: 'where the threads are kept (default: STATE)' },
    { name: 'host', value: 'HOST', summary: 'the loopback address to listen on (default: 127.0.0.1)' },
    { name: 'port', value: 'PORT', summary: 'the port to listen on, 0 for a free one (default: 8080)' },
    SET,
  ],
};

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

export const COMPLETION: Command = {
  name: 'completion',
  summary: 'print completions for a shell',
  details: ['For bash, in ~/.bashrc: eval "$(kourier completion bash)"'],
  operands: [{ name: 'SHELL', choices: SHELLS, optional: false }],
  options: [],
};

export const SLACK: Command = {
  name: 'slack',
  summary: 'print what a Slack app is made from',
  details: ['manifest: what api.slack.com/apps takes under "From a manifest". docs/slack.md goes from there.'],
  operands: [{ name: 'ACTION', choices: ['manifest'], optional: false }],
  options: [
    {
      name: 'mode',
      value: 'MODE',
      choices: ['socket', 'http'],
      summary: 'how the app hears Slack: socket (default) needs nothing reachable, http needs --url',
    },
    { name: 'url', value: 'URL', summary: 'https://HOST where Slack reaches kourier up; for mode http' },
    { name: 'name', value: 'NAME', summary: 'what people mention (default: Kourier)' },
    { name: 'format', value: 'FORMAT', choices: ['json', 'yaml'], summary: 'json (default) or yaml' },
  ],
};

export const DOCTOR: Command = {
  name: 'doctor',
  summary: 'look at the configuration, the agents and Slack, and say what to change',
  details: [
    'A line for each: ok, warn or FAIL, and what to do. It changes nothing, and posts nothing.',
    'Exit code 0: nothing fails. 1: something does.',
  ],
  operands: [],
  options: [CONFIG, SET, { name: 'json', summary: 'print JSON' }],
};

export const CARD_ACTIONS = ['validate', 'sign', 'verify'] as const;

export const CARD: Command = {
  name: 'card',
  summary: 'validate an agent card, sign it, or verify its signatures',
  details: [
    'validate: every fault by the letter of A2A 0.3 or 1.0, each with its JSON path. Of a URL it is looked, too, whether what the card names answers there.',
    'sign: prints the card with one signature more.',
    'verify: a signature of one of the keys that --jwks gives must hold; keys and algorithms that the card names count for nothing.',
    'Exit code 0: valid, signed or verified. 1: it is not. 2: a file that cannot be read, or wrong usage.',
  ],
  operands: [
    { name: 'ACTION', choices: CARD_ACTIONS, optional: false },
    {
      name: 'CARD',
      summary: 'a file, - for standard input, or the URL of a card or of its agent',
      offers: 'files',
      optional: false,
    },
  ],
  options: [
    {
      name: 'protocol',
      value: 'VERSION',
      choices: ['0.3', '1.0'],
      summary: 'validate: the version to judge by (default: what the card says)',
    },
    { name: 'key', value: 'JWK', offers: 'files', summary: 'sign: a file with the private key as a JWK' },
    {
      name: 'jwks',
      value: 'FILE',
      offers: 'files',
      summary: 'verify: a file or URL with the public keys as a JWK Set',
    },
    { name: 'json', summary: 'validate and verify: print JSON' },
  ],
};

export const A2A_ACTIONS = ['card', 'serve'] as const;

export const A2A: Command = {
  name: 'a2a',
  summary: 'print the card of an agent module, or serve it',
  details: [
    'The module exports an agent, or its turn, as default or as agent. It may be TypeScript.',
    'serve: JSON-RPC and HTTP+JSON at the two interfaces of its card, until SIGTERM or SIGINT. Nothing asks who calls.',
  ],
  operands: [
    { name: 'ACTION', choices: A2A_ACTIONS, optional: false },
    { name: 'MODULE', summary: 'the file of the agent', offers: 'files', optional: false },
  ],
  options: [
    { name: 'url', value: 'URL', summary: 'where callers reach the agent; card needs it (serve: where it listens)' },
    { name: 'name', value: 'NAME', summary: "the agent's name (default: what the module says, else its file name)" },
    { name: 'description', value: 'TEXT', summary: 'what it does (default: what the module says)' },
    { name: 'skill', value: 'ID', many: true, summary: 'card: a skill to list (default: those of the module)' },
    {
      name: 'protocol',
      value: 'VERSION',
      choices: ['1.0', '0.3'],
      many: true,
      summary: 'card: which version of it; serve: what to speak, both when given twice (default: 1.0)',
    },
    { name: 'host', value: 'HOST', summary: 'serve: the address to listen on (default: 127.0.0.1)' },
    { name: 'port', value: 'PORT', summary: 'serve: the port, 0 for a free one (default: 8094)' },
    {
      name: 'data',
      value: 'DIR',
      offers: 'folders',
      summary: 'serve: where tasks outlive the process (default: memory)',
    },
    { name: 'no-include-reasoning', summary: 'serve: keep what the model thought inside' },
  ],
};

export const SPACE_ACTIONS = ['connect'] as const;

export const SPACE: Command = {
  name: 'space',
  summary: 'make an agent that nobody can reach callable through a Space',
  details: [
    'connect: dials out to the Space and passes the calls that come back on to --to, until SIGTERM or SIGINT; a lost connection is dialled again. docs/space-tunnel.md says more.',
    'Exit code 0: stopped. 1: the Space does not take it. 2: wrong usage, or a file that cannot be read.',
  ],
  operands: [{ name: 'ACTION', choices: SPACE_ACTIONS, optional: false }],
  options: [
    { name: 'space', value: 'URL', summary: 'connect: where the Space is served, https://HOST with a path if need be' },
    { name: 'space-id', value: 'ID', summary: 'connect: the Space' },
    { name: 'agent', value: 'ID', summary: 'connect: the agent, as it is registered there' },
    {
      name: 'key-file',
      value: 'FILE',
      offers: 'files',
      summary: 'connect: the API key of a publisher of the Space, alone in a file',
    },
    { name: 'to', value: 'URL', summary: 'connect: where the agent listens; only paths below it are passed on' },
    {
      name: 'allow-plain',
      summary:
        'connect: let key and calls go unencrypted (http://) to another machine, where nobody listens on the way',
    },
  ],
};

export const HELP: Command = {
  name: 'help',
  summary: 'say how a command is used',
  operands: [
    {
      name: 'COMMAND',
      choices: [UP, DOCTOR, SLACK, CARD, A2A, SPACE, COMPLETION].map(({ name }) => name),
      optional: true,
    },
  ],
  options: [],
};

export const COMMANDS: readonly Command[] = [UP, DOCTOR, SLACK, CARD, A2A, SPACE, COMPLETION, HELP];

/** Of every command, and of `kourier` itself. */
export const EVERYWHERE = [{ name: 'help', short: 'h', summary: 'say how it is used' }] as const;

/** Of `kourier` itself only. */
export const VERSION = { name: 'version', short: 'V', summary: 'print the version' } as const;
