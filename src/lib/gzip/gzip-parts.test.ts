import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { crc32, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { combineCrc32, crc32Shift } from './crc32.ts'
import {
  bytesOf,
  type Chunk,
  DeflatedText,
  gzipPieces,
  joinedPart,
  partOf,
  sizeOfPieces,
} from './gzip-parts.ts'

const big = partOf(
  JSON.stringify(Array.from({ length: 5000 }, (_, i) => ({ id: i, name: `person ${i} – ü😀` }))),
)
const small = partOf('"small"')
const pieces: Chunk[] = [
  ...['{"a":', big, ',"b":', small, ',"c":"é"', ',"d":', big],
  ...[Buffer.from(',"e":"ü"'), ',"f":"ä"', Buffer.from(',"g":"ö"}')],
]
const whole = Buffer.concat(
  pieces.map((piece) => (typeof piece === 'object' && 'bytes' in piece ? piece.bytes : Buffer.from(piece))),
)

test('the pieces become one text', () => {
  expect(Buffer.concat(bytesOf(pieces)).equals(whole)).toBe(true)
  expect(bytesOf([])).toHaveLength(0)
  expect(sizeOfPieces(pieces)).toBeGreaterThan(2 * big.size)
})

test('node unpacks what was packed, and a part may be packed again', async () => {
  for (let time = 0; time < 2; time++) {
    const packed = Buffer.concat(await gzipPieces(pieces))
    expect(gunzipSync(packed).equals(whole)).toBe(true)
    expect(packed.length).toBeLessThan(whole.length / 5)
  }
})

test('a file is read while many new parts are being packed', async () => {
  const many = Array.from({ length: 400 }, (_, i) => partOf(`${i} ü `.repeat(5_000)))
  let isPacked = false
  const packing = gzipPieces(many).then((packed) => {
    isPacked = true
    return Buffer.concat(packed)
  })
  await readFile(new URL(import.meta.url))
  expect(isPacked).toBe(false)
  expect(gunzipSync(await packing).equals(Buffer.concat(bytesOf(many)))).toBe(true)
})

test('a text that other responses repeat is compressed once for all of them', async () => {
  const kept: number[] = []
  const text = new DeflatedText((size) => kept.push(size))
  const bytes = Buffer.from('long '.repeat(5_000))
  for (const shared of [undefined, text.chunk(bytes)]) {
    expect(kept).toEqual([])
    const alike = { size: bytes.length, bytes, shared: () => shared }
    expect(Buffer.concat(bytesOf(['<', alike, '>'])).toString()).toBe(`<${bytes}>`)
    for (const _ of [1, 2]) {
      const packed = Buffer.concat(await gzipPieces(['<', alike, '>']))
      expect(gunzipSync(packed).toString()).toBe(`<${bytes}>`)
    }
  }
  expect(kept).toHaveLength(1)
  expect(kept[0]).toBeGreaterThan(0)
})

test('what is kept takes no more memory than its bytes', async () => {
  const deflated = await partOf('short '.repeat(100)).deflated()
  expect(deflated.buffer.byteLength).toBe(deflated.length)
})

test('an independent implementation that is strict about lengths and checksums unpacks it too', async () => {
  const script = 'import gzip, sys; sys.stdout.buffer.write(gzip.decompress(sys.stdin.buffer.read()))'
  const python = spawnSync('python3', ['-c', script], {
    input: Buffer.concat(await gzipPieces(pieces)),
    maxBuffer: 2 ** 26,
  })
  if (python.error) return
  expect(python.stderr.toString()).toBe('')
  expect(python.stdout.equals(whole)).toBe(true)
})

test('checksums of two texts make that of both, however long they are', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.uint8Array(), fc.nat(100_000), (first, second, zeros) => {
      const longer = Buffer.concat([second, Buffer.alloc(zeros)])
      const both = combineCrc32(crc32(first), crc32(longer), crc32Shift(longer.length))
      expect(both).toBe(crc32(Buffer.concat([first, longer])))
    }),
  )
})

test('any pieces in any order survive', async () => {
  const text = fc.string({ unit: 'binary' })
  const part = fc
    .tuple(text, fc.integer({ min: 1, max: 400 }))
    .map(([text, times]) => partOf(text.repeat(times)))
  const piece = fc.oneof(text, part)
  const joined = fc.array(piece, { maxLength: 4 }).map(joinedPart)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(piece, joined), { maxLength: 12 }), async (pieces) => {
      const packed = Buffer.concat(await gzipPieces(pieces))
      expect(gunzipSync(packed).equals(Buffer.concat(bytesOf(pieces)))).toBe(true)
    }),
    { numRuns: 200 },
  )
})
