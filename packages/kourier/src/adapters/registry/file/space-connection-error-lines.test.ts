import { type RefusedTable, testRefused } from './fixtures/test-refused.ts';

const API = 'apiVersion: agentkourier.dev/v1alpha1\n';
const connection = (spec: string): string =>
  `${API}kind: SpaceConnection\nmetadata: { name: work }\nspec: { ${spec} }\n---\n`;
const WORK = connection('url: https://space.example, id: space-demo');
const ops = (...lines: string[]): string =>
  `${API}kind: Binding\nmetadata: { name: ops }\nspec:\n  chat: { platform: web }\n${lines.map((line) => `  ${line}\n`).join('')}`;

const TABLE: RefusedTable = {
  'a Space without its id': [
    connection('url: https://space.example'),
    'f.yaml:4: SpaceConnection work: id is missing; add id',
  ],
  'a Space whose id is none': [
    connection('url: https://space.example, id: a/b'),
    'f.yaml:4: SpaceConnection work: id is no id; write letters, digits, ., _ and - in at most 128 characters',
  ],
  'a Space at no URL': [
    connection('url: space.example, id: space-demo'),
    'f.yaml:4: SpaceConnection work: url is no http or https URL; write http:// or https:// with a host, as http://127.0.0.1:9001',
  ],
  'a key of a Space that is not there': [
    connection('url: https://space.example, id: space-demo, keySecretRef: { name: space, key: key }'),
    'f.yaml:4: SpaceConnection work: secret space is not known; add a Secret space, or give its folder with --set secrets.dir=DIR',
  ],
  'neither a backend nor a Space': [
    ops('identity: { userId: alice }'),
    'f.yaml:4: Binding ops: spec needs exactly one of backend, space; write one',
  ],
  'a backend and a Space': [
    `${WORK}${ops('backend: research', 'space: { name: work, route: {} }')}`,
    'f.yaml:9: Binding ops: spec needs exactly one of backend, space; write one',
  ],
  'a backend without an identity': [
    ops('backend: research'),
    'f.yaml:4: Binding ops: identity is missing; add identity',
  ],
  'an unknown Space': [
    `${WORK}${ops('space: { name: wrok, route: {} }')}`,
    'f.yaml:11: Binding ops: space wrok is not known; write work',
  ],
  'no Space at all': [
    ops('space: { name: work, route: {} }'),
    'f.yaml:6: Binding ops: space work is not known; add a SpaceConnection work',
  ],
  'nobody in a Space': [
    `${WORK}${ops('space: { name: work }')}`,
    'f.yaml:11: Binding ops: space needs exactly one of agent, skill, route; write one',
  ],
  'two ways into a Space': [
    `${WORK}${ops('space: { name: work, agent: weather, route: {} }')}`,
    'f.yaml:11: Binding ops: space needs exactly one of agent, skill, route; write one',
  ],
  'a route with something in it': [
    `${WORK}${ops('space: { name: work, route: { skill: weather } }')}`,
    'f.yaml:11: Binding ops: unknown key space.route.skill; leave it out',
  ],
  'an identity beside a Space': [
    `${WORK}${ops('space: { name: work, skill: weather }', 'identity: { userId: alice }')}`,
    'f.yaml:12: Binding ops: identity is not for space: the key of its SpaceConnection says who we are; leave it out',
  ],
  'an agent of a cluster beside a Space': [
    `${WORK}${ops('space: { name: work, agent: weather }', 'agent: { namespace: kagent, name: k8s }')}`,
    'f.yaml:12: Binding ops: agent is for kagent-v1: of a Space it is space.agent; leave it out',
  ],
};

testRefused(TABLE);
