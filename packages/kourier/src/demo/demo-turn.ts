import { AgentFailure, type AnswerTurn, type Piece } from '@agentkourier/agent';
import { ABOUT_TO_FAIL, GREETING, inventedWeather, SLOW, WHAT_NEXT } from './demo-answers.ts';
import { NoteBook } from './note-book.ts';

/** Waits, and ends early, by throwing, when the signal aborts. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

const CHUNK_EVERY_MS = 30;
const TOOL_TAKES_MS = 600;
const SLOW_WORD_EVERY_MS = 1_000;
const NOTE_CHARACTERS = 200;

interface Speaker {
  readonly asked: string;
  readonly contextId: string;
  readonly notes: NoteBook;
  /** A pause that the turn's signal ends. */
  rest(ms: number): Promise<void>;
}

/** The demo agent's answers. Every turn says the same to the same words, so that tests can rely on it. */
export function demoTurn(pause: Pause): AnswerTurn {
  const notes = new NoteBook();
  return async function* answer({ text, contextId, signal }) {
    const speaker: Speaker = { asked: withoutPrefix(text).trim(), contextId, notes, rest: (ms) => pause(ms, signal) };
    yield* answerTo(speaker);
  };
}

/** A person's text comes with a line that says who wrote it (contract rule S6); the metadata would say it better. */
export function withoutPrefix(text: string): string {
  return text.replace(/^\[\w[\w ]{0,63}: [^\n]{0,2000}\]\n/, '');
}

async function* answerTo(speaker: Speaker): AsyncIterable<Piece> {
  const { asked } = speaker;
  const place = /\bweather (?:in|at|for) ([\p{L} .'-]{1,80})/iu.exec(asked)?.[1]?.trim();
  const note = /^note (?:that )?(\S.*)/is.exec(asked)?.[1];
  if (/\bstay silent\b/i.test(asked)) {
    await speaker.rest(TOOL_TAKES_MS);
  } else if (/^(please )?fail\b/i.test(asked)) {
    yield* say(speaker, ABOUT_TO_FAIL);
    throw new AgentFailure({ category: 'rate-limit', code: 'demo_failure' });
  } else if (/\bbe slow\b/i.test(asked)) {
    yield* say(speaker, SLOW, SLOW_WORD_EVERY_MS);
  } else if (/^help\b/i.test(asked)) {
    yield* say(speaker, WHAT_NEXT);
  } else if (note !== undefined) {
    yield* takeNote(speaker, note);
  } else if (place !== undefined) {
    yield* lookUpWeather(speaker, place);
  } else {
    yield* say(speaker, GREETING);
    yield* lookUpWeather(speaker, 'Lisbon');
    yield* takeNote(speaker, asked);
    yield* say(speaker, WHAT_NEXT);
  }
}

/** Word by word, as a model would. */
async function* say({ rest }: Speaker, text: string, everyMs = CHUNK_EVERY_MS): AsyncIterable<Piece> {
  for (const word of text.match(/\S+\s*|\s+/g) ?? []) {
    await rest(everyMs);
    yield word;
  }
}

async function* lookUpWeather(speaker: Speaker, place: string): AsyncIterable<Piece> {
  yield { call: { id: 'weather', name: 'look_up_weather', args: { place } } };
  await speaker.rest(TOOL_TAKES_MS);
  const weather = inventedWeather(place);
  yield { result: { id: 'weather', name: 'look_up_weather', response: weather } };
  yield* say(speaker, `In ${place}: ${weather.sky}, ${weather.celsius} °C, or so I say.\n\n`);
}

async function* takeNote(speaker: Speaker, written: string): AsyncIterable<Piece> {
  const note = written.length > NOTE_CHARACTERS ? `${written.slice(0, NOTE_CHARACTERS)}…` : written;
  yield { call: { id: 'note', name: 'take_note', args: { note } } };
  await speaker.rest(TOOL_TAKES_MS);
  const kept = speaker.notes.add(speaker.contextId);
  yield { result: { id: 'note', name: 'take_note', response: { kept } } };
  const count = kept === 1 ? 'the first note' : `note number ${kept}`;
  yield* say(speaker, `Noted. It is ${count} of this thread.\n\n`);
}
