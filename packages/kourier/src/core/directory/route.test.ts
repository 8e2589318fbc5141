import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BlockedReason } from './blocked-reason.ts';
import { Catalog } from './catalog.ts';
import { registered, skill } from './fixtures/registered.ts';
import type { Json } from './registered-agent.ts';
import { type RouteQuestion, type Routing, route } from './route.ts';

const WEATHER = {
  name: 'Sky Watch',
  description: 'Tells what the sky is up to.',
  skills: [
    skill('forecast', {
      name: 'Weather forecast',
      description: 'Rain, wind and temperature for a city.',
      tags: ['weather', 'climate'],
      examples: ['Will it rain in Paris tomorrow?'],
    }),
  ],
};
const TRAVEL = {
  name: 'Globe Trotter',
  description: 'Books journeys.',
  skills: [
    skill('book_flight', {
      name: 'Flight booking',
      description: 'Finds and books a flight between two cities.',
      tags: ['travel', 'flights'],
      examples: ['Book a flight to Paris'],
    }),
    skill('book_hotel', { name: 'Hotel booking', description: 'Finds a room.', tags: ['travel', 'hotels'] }),
  ],
};
const LEDGER = {
  name: 'Ledger',
  description: 'Keeps accounts.',
  skills: [skill('invoice', { name: 'Invoices', description: 'Writes an invoice.', tags: ['accounting'] })],
};

type Placed = readonly [id: string, card: Json, blocked?: BlockedReason];
const OFFICE: readonly Placed[] = [
  ['weather', WEATHER],
  ['travel', TRAVEL],
  ['ledger', LEDGER],
];

function routed(agents: readonly Placed[], question: string | RouteQuestion): Routing {
  const catalog = new Catalog();
  for (const [id, card, blocked] of agents) catalog.put(registered(id, card), blocked);
  return route(catalog, typeof question === 'string' ? { text: question } : question);
}

function told(routing: Routing): string {
  if (routing.outcome === 'agent') return `agent ${routing.agentId} ${routing.skillId ?? ''}`.trim();
  return routing.outcome === 'none' ? `none ${routing.reason}` : routing.outcome;
}

describe('C8 a message goes to the agent whose card has its words', () => {
  for (const [text, wanted] of [
    ['What will the weather be like in Rome tomorrow?', 'agent weather forecast'],
    ['Please book me a flight from Oslo to Rome', 'agent travel book_flight'],
    ['I need a hotel', 'agent travel book_hotel'],
    ['ledger', 'agent ledger invoice'],
    ['write the invoice for May', 'agent ledger invoice'],
    ['bookFlight', 'agent travel book_flight'],
    ['will it rain, and is there wind?', 'agent weather forecast'],
  ] as const) {
    it(`${text} → ${wanted}`, () => assert.equal(told(routed(OFFICE, text)), wanted));
  }

  it('and says which words stand where', () => {
    const routing = routed(OFFICE, 'Weather in Paris, and the wind: what is the sky up to?');
    assert.equal(told(routing), 'agent weather forecast');
    assert.deepEqual(routing.candidates[0]?.because, [
      { kind: 'words', field: 'skill-tags', skillId: 'forecast', words: ['weather'] },
      { kind: 'words', field: 'agent-name', words: ['sky'] },
      { kind: 'words', field: 'skill-examples', skillId: 'forecast', words: ['paris'] },
      { kind: 'words', field: 'skill-description', skillId: 'forecast', words: ['wind'] },
    ]);
    assert.deepEqual(
      routing.candidates.map(({ agentId }) => agentId),
      ['weather', 'travel'],
    );
  });

  it('in any script', () => {
    const agents: readonly Placed[] = [
      ['tianqi', { name: '天气助手', skills: [skill('tq', { name: '天气预报' })] }],
      ['fanyi', { name: '翻译', skills: [skill('fy', { name: '中英翻译' })] }],
      ['pogoda', { name: 'Погода', skills: [skill('pg', { name: 'Прогноз погоды' })] }],
    ];
    assert.equal(told(routed(agents, '明天上海的天气怎么样')), 'agent tianqi tq');
    assert.equal(told(routed(agents, '请翻译这句话')), 'agent fanyi fy');
    assert.equal(told(routed(agents, 'Какой прогноз на завтра?')), 'agent pogoda pg');
  });

  it('and an agent without skills by what it says of itself', () => {
    assert.equal(told(routed([['solo', { name: 'Chess coach' }], ...OFFICE], 'a game of chess')), 'agent solo');
  });
});

describe('C8 no fit is an answer', () => {
  for (const [what, text] of [
    ['a message about something else', 'Compose a sonnet on autumn'],
    ['words that every message has', 'Can you please help me with this task? What do you do?'],
    ['one word that an example happens to have', 'Paris'],
    ['one word of a description', 'the temperature'],
    ['numbers and single letters', '3 4 x'],
    ['nothing', ''],
  ] as const) {
    it(what, () => {
      const routing = routed(OFFICE, text);
      assert.equal(told(routing), 'none nothing-fits');
      assert.ok(routing.candidates.every(({ score }) => score > 0));
    });
  }

  it('a word that most agents have', () => {
    const agents = Array.from(
      { length: 9 },
      (_, at): Placed => [`a${at}`, { name: `Kappa ${'bcdefghij'[at]}${at}a`, skills: [skill(`omega${at}z`)] }],
    );
    assert.equal(told(routed(agents, 'kappa')), 'none nothing-fits');
    assert.equal(told(routed(agents, 'kappa omega3z')), 'agent a3 omega3z');
  });

  it('in an empty Space', () => assert.equal(told(routed([], 'weather')), 'none nothing-fits'));
});

describe('C8 a tie is an answer', () => {
  const twin: Placed = ['weather-2', { ...WEATHER, name: 'Cloud Watch' }];

  it('between agents that fit alike', () => {
    const routing = routed([...OFFICE, twin], 'weather in Rome');
    assert.equal(told(routing), 'tie');
    assert.deepEqual(
      routing.candidates.map(({ agentId }) => agentId),
      ['weather', 'weather-2'],
    );
    assert.equal(told(routed([...OFFICE, twin], 'weather in Rome, says Cloud')), 'agent weather-2 forecast');
  });

  it('and not where one of them cannot be called: it is named', () => {
    const routing = routed([...OFFICE, [twin[0], twin[1], 'unhealthy']], 'weather in Rome');
    assert.equal(told(routing), 'agent weather forecast');
    assert.deepEqual(
      routing.blocked.map(({ agentId, blockedReason }) => [agentId, blockedReason]),
      [['weather-2', 'unhealthy']],
    );
  });
});

describe('a blocked agent', () => {
  const [, ...others] = OFFICE;

  it('is not chosen, and named when it would have been', () => {
    const routing = routed([['weather', WEATHER, 'not-connected'], ...others], 'the weather');
    assert.equal(told(routing), 'none blocked');
    assert.deepEqual(
      routing.blocked.map(({ agentId, blockedReason }) => [agentId, blockedReason]),
      [['weather', 'not-connected']],
    );
    assert.deepEqual(routing.candidates, []);
  });

  it('is not named when another fits better', () => {
    const routing = routed([['weather', WEATHER, 'not-connected'], ...others], 'a flight to Paris and a hotel');
    assert.equal(told(routing), 'agent travel book_flight');
    assert.deepEqual(routing.blocked, []);
  });
});

describe('a message that names a skill (rule P6)', () => {
  const other: Placed = [
    'station',
    { name: 'Station', skills: [skill('forecast', { name: 'Sea forecast', tags: ['tides'] })] },
  ];

  it('goes to the one that has it, whatever it says', () => {
    const routing = routed(OFFICE, { text: 'weather', skillId: 'invoice' });
    assert.equal(told(routing), 'agent ledger invoice');
    assert.deepEqual(routing.candidates[0]?.because, [{ kind: 'skill', skillId: 'invoice' }]);
  });

  it('goes to the one of several that has its words, and to none of them without', () => {
    const ask = (text: string): string => told(routed([...OFFICE, other], { text, skillId: 'forecast' }));
    assert.equal(ask('the tides'), 'agent station forecast');
    assert.equal(ask('the climate'), 'agent weather forecast');
    assert.equal(ask('hello'), 'tie');
  });

  it('that nobody has is told those that are written alike', () => {
    const routing = routed(OFFICE, { text: 'weather', skillId: 'book_fligth' });
    assert.equal(told(routing), 'none unknown-skill');
    assert.deepEqual(routing.outcome === 'none' && routing.nearestSkillIds, ['book_flight']);
    assert.equal(told(routed(OFFICE, { text: '', skillId: 'travel' })), 'none unknown-skill');
  });

  it('is not sent elsewhere when those that have it are blocked', () => {
    const blocked: readonly Placed[] = [
      ['weather', WEATHER, 'disabled'],
      ['travel', TRAVEL],
    ];
    const routing = routed(blocked, { text: 'book a flight', skillId: 'forecast' });
    assert.equal(told(routing), 'none blocked');
    assert.deepEqual(routing.blocked[0]?.blockedReason, 'disabled');
  });
});

describe('the media types', () => {
  const painter: Placed = [
    'painter',
    {
      name: 'Painter',
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['image/png'],
      skills: [
        skill('paint', { tags: ['picture'] }),
        skill('caption', {
          tags: ['picture'],
          inputModes: ['image/*', 'text'],
          outputModes: ['text/plain; charset=utf-8'],
        }),
      ],
    },
  ];
  const ask = (given: Partial<RouteQuestion>): string =>
    told(routed([painter, ...OFFICE], { text: 'picture', ...given }));

  it('of the answer choose among skills and agents', () => {
    assert.equal(ask({ outputModes: ['image/*'] }), 'agent painter paint');
    assert.equal(ask({ outputModes: ['TEXT/PLAIN'] }), 'agent painter caption');
    assert.equal(ask({ outputModes: ['audio/wav', 'text/*'] }), 'agent painter caption');
    assert.equal(ask({ outputModes: ['audio/wav'] }), 'none modes');
    assert.equal(ask({ outputModes: ['audio/wav'], skillId: 'paint' }), 'none modes');
    assert.equal(ask({ outputModes: ['audio/wav'], text: 'sonnet' }), 'none nothing-fits');
  });

  it('of the message must all be taken', () => {
    assert.equal(ask({ inputModes: ['image/jpeg', 'text/plain'] }), 'agent painter caption');
    assert.equal(ask({ inputModes: ['image/jpeg', 'application/json'] }), 'none modes');
    assert.equal(ask({ text: 'weather', inputModes: ['text/plain'] }), 'agent weather forecast');
  });

  it('are part of the explanation', () => {
    const routing = routed([painter], { text: 'picture', outputModes: ['image/png'] });
    assert.deepEqual(routing.candidates[0]?.because.at(-1), {
      kind: 'modes',
      inputModes: [],
      outputModes: ['image/png'],
    });
  });
});

describe('C023 a card cannot talk itself into more', () => {
  it('by saying a word again and again', () => {
    const stuffed: Placed = [
      'stuffed',
      { name: 'W', skills: [skill('s', { tags: ['weather'], description: 'weather '.repeat(400) })] },
    ];
    const [first, second] = routed([...OFFICE, stuffed], 'weather').candidates;
    assert.equal(first?.score, second?.score);
  });

  it('by naming everything', () => {
    const words = Array.from({ length: 400 }, (_, at) => `topic${at}`).join(' ');
    const all: Placed = ['all', { name: 'W', skills: [skill('s', { description: `weather flight rain ${words}` })] }];
    assert.equal(told(routed([...OFFICE, all], 'the weather')), 'agent weather forecast');
    assert.equal(told(routed([all, ['ledger', LEDGER]], 'the weather')), 'none nothing-fits');
  });
});
