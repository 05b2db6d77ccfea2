import { expect, test } from 'vitest'
import { RowScanner } from './row-scanner.ts'

/** Returns the rows that a scanner finds in a text which arrives in pieces of some bytes. */
function scanned(text: string, pieceBytes: number, wants = (_table: string) => true, rowBytes = 1000) {
  const rows: [table: string, row: unknown][] = []
  const take = (table: string, row: unknown) => rows.push([table, row])
  const scanner = new RowScanner({ wants, take, rowBytes, allBytes: 5000 })
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += pieceBytes) scanner.add(bytes.subarray(at, at + pieceBytes))
  scanner.end()
  return rows
}

const tables = {
  a: [
    { id: 1, text: 'with "quotes", \\ {braces} [and] ☃ 😀' },
    { id: 2, inner: { list: [[1], {}] } },
  ],
  'n"ame': [],
  import_source: 'zulip, [none]',
  number: 7,
  no: null,
  object: { list: [{ id: 9 }] },
  scalars: [1, 'two', null, true, [], {}],
  last: [{ id: 3 }],
}
const expected = Object.entries(tables).flatMap(([table, rows]) =>
  Array.isArray(rows) ? rows.map((row) => [table, row]) : [],
)

test.each([1, 2, 7, 64, 10_000])('rows are found in pieces of %i bytes', (pieceBytes) => {
  expect(scanned(JSON.stringify(tables), pieceBytes)).toEqual(expected)
  expect(scanned(`\n${JSON.stringify(tables, null, 2)}\n`, pieceBytes)).toEqual(expected)
  expect(scanned('[{"id": 1}, {"id": 2}]', pieceBytes)).toEqual([
    ['', { id: 1 }],
    ['', { id: 2 }],
  ])
  expect(scanned(' [ ] ', pieceBytes)).toEqual([])
  expect(scanned('{}', pieceBytes)).toEqual([])
})

test('rows that are not wanted are passed over, however large they are', () => {
  const large = { a: [{ text: 'x'.repeat(9000) }], b: [{ id: 1 }], c: ['x'.repeat(9000)] }
  const wants = (table: string) => table === 'b'
  for (const pieceBytes of [1, 100, 100_000]) {
    expect(scanned(JSON.stringify(large), pieceBytes, wants)).toEqual([['b', { id: 1 }]])
  }
})

test.each([
  '',
  ' ',
  'null',
  '"text"',
  '[1',
  '[1,]',
  '[1,,2]',
  '[x]',
  '{"a": [{"id": 1}',
  '{"a": [{"id": 1}]',
  '{"a": [{"id": 1}}',
  '{"a": [{"id": 1,}]}',
  '{"a": [{"id": "x]}',
  '{"a": []} {}',
  '[]]',
  '[1}',
  '{"a": [1}}',
  '{"a": []]',
])('%j is refused', (text) => {
  for (const pieceBytes of [1, 100]) expect(() => scanned(text, pieceBytes)).toThrow(SyntaxError)
})

test('rows that are too large are refused', () => {
  const row = JSON.stringify([{ text: 'x'.repeat(1500) }])
  expect(() => scanned(row, 100)).toThrow(new RangeError('it has a row that is too large'))
  const rows = JSON.stringify(Array.from({ length: 20 }, () => ({ text: 'x'.repeat(300) })))
  for (const pieceBytes of [100, 100_000]) {
    expect(() => scanned(rows, pieceBytes)).toThrow(new RangeError('its rows are too large'))
  }
})
