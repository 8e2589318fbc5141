import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exactJson, type Piece } from './exact-json.ts';

const MARKS = { line: '↵\n', return: '␍', tab: '→', space: '·' };

const shown = (pieces: readonly Piece[]): string =>
  pieces
    .map((piece) => {
      if (piece.kind === 'text') return piece.text;
      return piece.kind === 'string' ? `<${shown(piece.pieces)}>` : MARKS[piece.kind];
    })
    .join('');

const written = (pieces: readonly Piece[]): string =>
  pieces.map((piece) => (piece.kind === 'string' ? written(piece.pieces) : piece.text)).join('');

test('Q7 what has no blanks of its own stands as JSON writes it', () => {
  for (const value of [
    null,
    true,
    1.5,
    'rm -rf / "x" \\n',
    [],
    {},
    { a: [1, { b: 'two words' }, []], 'a key': {}, '': null },
  ]) {
    assert.equal(shown(exactJson(value)), JSON.stringify(value, null, 2));
  }
  assert.equal(shown(exactJson(JSON.parse('{"__proto__": 1}'))), '{\n  "__proto__": 1\n}');
});

test('Q7 lines are lines, each with its mark, and cannot be taken for another key', () => {
  const value = { script: 'set -e\n\tls "a"\n\nrm x\n', 'dry\nrun': true };
  assert.equal(
    shown(exactJson(value)),
    '{\n  "script": "<set -e↵\n→ls \\"a\\"↵\n↵\nrm x↵\n">,\n  "dry\\nrun": true\n}',
  );
});

test('Q7 blanks at the ends are marked, those between words are not', () => {
  assert.equal(shown(exactJson(' a b  ')), '"·a b··"');
  assert.equal(shown(exactJson('   ')), '"···"');
  assert.equal(shown(exactJson('a\tb')), '"a→b"');
  assert.equal(shown(exactJson('if\n  x  \r\ny\r')), '"<if↵\n  x··␍↵\ny␍">');
});

test('Q7 a mark stands for a character that is there', () => {
  const value = { a: ' x\n\ty \r\n', b: [' '] };
  assert.equal(written(exactJson(value)), '{\n  "a": " x\n\ty \r\n",\n  "b": [\n    " "\n  ]\n}');
});
