import { SPACE_QUESTIONS } from './a2a/space-questions.ts';
import type { Command, Option } from './command.ts';
import { SPACE } from './space/space-command.ts';

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
      of: ['validate'],
      value: 'VERSION',
      choices: ['0.3', '1.0'],
      summary: 'validate: the version to judge by (default: what the card says)',
    },
    { name: 'key', of: ['sign'], value: 'JWK', offers: 'files', summary: 'sign: a file with the private key as a JWK' },
    {
      name: 'jwks',
      of: ['verify'],
      value: 'FILE',
      offers: 'files',
      summary: 'verify: a file or URL with the public keys as a JWK Set',
    },
    { name: 'json', of: ['validate', 'verify'], summary: 'validate and verify: print JSON' },
  ],
};

export const MODULE_ACTIONS = ['card', 'serve'] as const;

export const A2A: Command = {
  name: 'a2a',
  summary: 'print the card of an agent module or serve it; find and call the agents of a Space',
  details: [
    'card, serve MODULE: the module exports an agent, or its turn, as default or as agent. It may be TypeScript. serve listens until SIGTERM or SIGINT, with JSON-RPC and HTTP+JSON at the two interfaces of its card; nothing asks who calls, unless --inbound does.',
    'discover, call AGENT MESSAGE, status TASK, cancel TASK: ask a Space, that --space and --space-id name, or KOURIER_SPACE_URL and KOURIER_SPACE_ID; its key is in --key-file or KOURIER_SPACE_KEY. call waits for the end, and prints the final state and the answer.',
    'Exit codes of these: 0 done. 1 the task ended otherwise than completed. 2 wrong usage, or no Space is configured. 3 refused. 4 not found. 5 not to be reached. 6 the task waits for an answer (call again with --task). 130, 143 told to stop; the task goes on.',
  ],
  operands: [
    { name: 'ACTION', choices: [...MODULE_ACTIONS, ...SPACE_QUESTIONS], optional: false },
    {
      name: 'WHAT',
      of: [...MODULE_ACTIONS, 'call', 'status', 'cancel'],
      summary: 'MODULE, AGENT or TASK: what the action is about',
      offers: 'files',
      optional: true,
    },
    { name: 'MESSAGE', of: ['call'], summary: 'call: what to say', optional: true },
  ],
  options: [
    {
      name: 'url',
      of: MODULE_ACTIONS,
      value: 'URL',
      summary: 'where callers reach the agent; card needs it (serve: where it listens)',
    },
    {
      name: 'name',
      of: MODULE_ACTIONS,
      value: 'NAME',
      summary: "the agent's name (default: what the module says, else its file name)",
    },
    { name: 'description', of: MODULE_ACTIONS, value: 'TEXT', summary: 'what it does (default: what the module says)' },
    {
      name: 'skill',
      of: ['card', 'discover', 'call'],
      value: 'ID',
      many: true,
      summary: 'card: a skill to list (default: those of the module); discover, call: the skill that is wanted',
    },
    {
      name: 'protocol',
      of: MODULE_ACTIONS,
      value: 'VERSION',
      choices: ['1.0', '0.3'],
      many: true,
      summary: 'card: which version of it; serve: what to speak, both when given twice (default: 1.0)',
    },
    { name: 'host', of: ['serve'], value: 'HOST', summary: 'serve: the address to listen on (default: 127.0.0.1)' },
    { name: 'port', of: ['serve'], value: 'PORT', summary: 'serve: the port, 0 for a free one (default: 8094)' },
    {
      name: 'data',
      of: ['serve'],
      value: 'DIR',
      offers: 'folders',
      summary: 'serve: where tasks outlive the process (default: memory)',
    },
    {
      name: 'inbound',
      of: ['serve'],
      value: 'FILE',
      offers: 'files',
      summary: 'serve: take the calls of a gateway alone; a JSON file, as docs/inbound.md says',
    },
    {
      name: 'no-include-reasoning',
      of: ['serve'],
      summary: 'serve: keep what the model thought inside (with --inbound it stays there)',
    },
    {
      name: 'space',
      of: SPACE_QUESTIONS,
      value: 'URL',
      summary: 'where kourier space serve listens (default: http://127.0.0.1:8090)',
    },
    { name: 'space-id', of: SPACE_QUESTIONS, value: 'ID', summary: 'the Space' },
    {
      name: 'key-file',
      of: SPACE_QUESTIONS,
      value: 'FILE',
      offers: 'files',
      summary: 'a file with the API key or token of the Space',
    },
    { name: 'text', of: ['discover'], value: 'TEXT', summary: 'discover: words that the agent has all of' },
    { name: 'blocked', of: ['discover'], summary: 'discover: also what cannot be called, with the reason' },
    { name: 'limit', of: ['discover'], value: 'NUMBER', summary: 'discover: so many at most (default: all)' },
    { name: 'task', of: ['call'], value: 'TASK', summary: 'call: the task that the message answers' },
    {
      name: 'idempotency-key',
      of: ['call'],
      value: 'KEY',
      summary: 'call: the same key and message are the same task',
    },
    { name: 'no-wait', of: ['call'], summary: 'call: end as soon as the agent has taken the message' },
    { name: 'json', of: SPACE_QUESTIONS, summary: 'discover, call, status, cancel: print JSON, a line each' },
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
    { name: 'ACTION', summary: 'one of what it can do', optional: true },
  ],
  options: [],
};

export const COMMANDS: readonly Command[] = [UP, DOCTOR, SLACK, CARD, A2A, SPACE, COMPLETION, HELP];

/** Of every command, and of `kourier` itself. */
export const EVERYWHERE = [{ name: 'help', short: 'h', summary: 'say how it is used' }] as const;

/** Of `kourier` itself only. */
export const VERSION = { name: 'version', short: 'V', summary: 'print the version' } as const;
