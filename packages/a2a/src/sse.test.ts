import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type SseEnd, SseReader, type SseState } from './sse.ts';

interface Reading {
  readonly data: readonly string[];
  readonly state: SseState;
  readonly end: SseEnd;
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function read(chunks: readonly Uint8Array[], maxFrameLength = 1_000): Reading {
  const data: string[] = [];
  const reader = new SseReader({
    maxFrameLength,
    onData: (item) => {
      data.push(item);
      return 'more';
    },
  });
  let state: SseState = 'more';
  for (const chunk of chunks) state = reader.push(chunk);
  const end = reader.end();
  return { data, state, end };
}

const bytewise = (bytes: Uint8Array): Uint8Array[] => [...bytes].map((byte) => Uint8Array.of(byte));

/** Reads a text whole and byte by byte: both must say the same. */
function dataOf(text: string): readonly string[] {
  const whole = read([bytesOf(text)]);
  assert.deepEqual(read(bytewise(bytesOf(text))), whole);
  return whole.data;
}

describe('line ends', () => {
  test('C037 a lone CR ends a line', () => {
    assert.deepEqual(dataOf('data: {"a":1}\r\rdata: {"a":2}\r\r'), ['{"a":1}', '{"a":2}']);
  });

  test('C038 CR LF is one line end, also split over two reads', () => {
    assert.deepEqual(dataOf('data: x\r\n\r\ndata: y\r\n\r\n'), ['x', 'y']);
    const split = read(['data: x\r', '\n', '\r', '\ndata: y\r\n\r', '\n'].map(bytesOf));
    assert.deepEqual(split.data, ['x', 'y']);
  });

  test('C038 a frame without its blank line is not dispatched', () => {
    const { data, end } = read([bytesOf('data: x\n\ndata: y\n')]);
    assert.deepEqual(data, ['x']);
    assert.deepEqual(end, { frames: 1, unterminated: true });
  });

  test('mixed line ends in one stream', () => {
    assert.deepEqual(dataOf('data: a\n\r\ndata: b\r\rdata: c\r\n\n'), ['a', 'b', 'c']);
  });

  test('C043 U+0085 and U+2028 end no line, and no charset means UTF-8', () => {
    assert.deepEqual(dataOf('data: "a\u2028b\u0085c ü €"\n\n'), ['"a\u2028b\u0085c ü €"']);
  });
});

describe('fields', () => {
  test('C040 data lines are joined by LF', () => {
    assert.deepEqual(dataOf('data: {"a":\ndata: 1}\n\n'), ['{"a":\n1}']);
  });

  test('C041 all but data is skipped; the space is optional, a byte order mark goes, empty data dispatches nothing', () => {
    const text = '\uFEFF: hi\nevent: message\nid: 4\nretry: 10\ndata:{"a":1}\n\n:\n\ndata:\n\ndata\n\ndatax: 1\n\n';
    assert.deepEqual(dataOf(text), ['{"a":1}']);
  });

  test('C041 only one space after the colon belongs to the field', () => {
    assert.deepEqual(dataOf('data:  x \n\n'), [' x ']);
  });

  test("C032 the event's name does not matter", () => {
    assert.deepEqual(dataOf('event: error\ndata: {"error":{}}\n\n'), ['{"error":{}}']);
  });

  test('a byte order mark in mid-stream is part of its line', () => {
    assert.deepEqual(dataOf('data: a\n\n\uFEFFdata: b\n\ndata: c\n\n'), ['a', 'c']);
  });
});

describe('what is no event stream', () => {
  const error = '{"jsonrpc":"2.0","id":"1","error":{"code":-32001}}';

  test('C025 a bare JSON body is the residue', () => {
    assert.deepEqual(read([bytesOf(error)]).end, { frames: 0, unterminated: false, residue: error });
    assert.equal(read(bytewise(bytesOf(` \r\n${error}`))).end.residue, error);
  });

  test('C025 so is the data of an only frame that was not terminated', () => {
    assert.deepEqual(read([bytesOf(`data: ${error}`)]).end, { frames: 0, unterminated: true, residue: error });
    assert.deepEqual(read([bytesOf(`data: ${error}\n`)]).end, { frames: 0, unterminated: true, residue: error });
  });

  test('C025 after a good frame there is none', () => {
    assert.deepEqual(read([bytesOf(`data: 1\n\ndata: ${error}`)]).end, { frames: 1, unterminated: true });
  });

  test('an empty body and a page have none', () => {
    assert.deepEqual(read([]).end, { frames: 0, unterminated: false });
    assert.deepEqual(read([bytesOf('<html>\n\ndatum\n\n')]).end, { frames: 0, unterminated: false });
  });
});

describe('limits', () => {
  test('C050 an endless line is reported, whatever its field, and what came before it is kept', () => {
    for (const field of ['data: ', ': ', '']) {
      const reading = read(bytewise(bytesOf(`data: 1\n\n${field}${'x'.repeat(200)}`)), 100);
      assert.deepEqual(reading.data, ['1']);
      assert.equal(reading.state, 'too-large');
      assert.deepEqual(reading.end, { frames: 1, unterminated: false });
    }
  });

  test('C050 so are data lines without end', () => {
    assert.equal(read(bytewise(bytesOf('data: 1234567890\n'.repeat(20))), 100).state, 'too-large');
  });

  test('C025 so is what begins like an object and goes on without an event', () => {
    assert.equal(read(bytewise(bytesOf(`{\n${': on\n'.repeat(30)}`)), 100).state, 'too-large');
    assert.deepEqual(read(bytewise(bytesOf(`{\ndata: 1\n\n${': on\n'.repeat(30)}`)), 100).data, ['1']);
  });

  test('C050 the limit is for a frame, none for the stream', () => {
    const reading = read([bytesOf(`data: ${'x'.repeat(90)}\n\n`.repeat(1_000))], 100);
    assert.equal(reading.data.length, 1_000);
    assert.equal(reading.state, 'more');
  });

  test('nothing is read after `enough`', () => {
    const data: string[] = [];
    const reader = new SseReader({
      maxFrameLength: 100,
      onData: (item) => {
        data.push(item);
        return 'enough';
      },
    });
    assert.equal(reader.push(bytesOf('data: 1\n\ndata: 2\n\n')), 'enough');
    assert.equal(reader.push(bytesOf('data: 3\n\n')), 'enough');
    assert.deepEqual(data, ['1']);
    assert.equal(reader.frames, 1);
  });
});

describe('for any input', () => {
  const line = fc.constantFrom('data: ', 'data:', 'data', ': c', 'id: 1', '{"a":1}', 'é€😀', '\u2028', '\uFEFF', '');
  const stream = fc
    .array(fc.tuple(line, fc.string({ maxLength: 4 }), fc.constantFrom('\n', '\r', '\r\n', '')))
    .map((lines) => bytesOf(lines.map((parts) => parts.join('')).join('')));
  const bytes = fc.oneof(
    stream,
    fc.uint8Array({ maxLength: 80 }),
    fc
      .array(fc.constantFrom(10, 13, 32, 58, 100, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0xed, 0xa0))
      .map((items) => Uint8Array.from(items)),
  );

  test('every split of the bytes gives the same result', () => {
    fc.assert(
      fc.property(bytes, fc.array(fc.nat(80)), fc.constantFrom(5, 20, 1_000), (all, places, limit) => {
        const cuts = [0, ...places.map((place) => Math.min(place, all.length)).sort((a, b) => a - b), all.length];
        const chunks = cuts.slice(1).map((cut, index) => all.subarray(cuts[index], cut));
        assert.deepEqual(read(chunks, limit), read([all], limit));
      }),
      { numRuns: 1_000 },
    );
  });

  test('a written frame is read back', () => {
    fc.assert(
      fc.property(fc.array(fc.json()), fc.constantFrom('\n', '\r', '\r\n'), (items, eol) => {
        const text = items.map((item) => `data: ${item}${eol}${eol}`).join('');
        assert.deepEqual(read(bytewise(bytesOf(text)), 100_000).data, items);
      }),
    );
  });
});
