import { spawnSync } from 'node:child_process'
import { crc32, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { combineCrc32, crc32Shift } from './crc32.ts'
import { gzipPieces, joinPieces, Part, type Piece, sizeOfPieces } from './gzip-parts.ts'

const big = new Part(
  JSON.stringify(Array.from({ length: 5000 }, (_, i) => ({ id: i, name: `person ${i} – ü😀` }))),
)
const small = new Part('"small"')
const pieces: Piece[] = ['{"a":', big, ',"b":', small, ',"c":"é"', ',"d":', big, '}']
const whole = Buffer.concat(
  pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece.bytes)),
)

test('the pieces become one text', () => {
  expect(joinPieces(pieces).equals(whole)).toBe(true)
  expect(joinPieces([])).toHaveLength(0)
  expect(sizeOfPieces(pieces)).toBeGreaterThan(2 * big.bytes.length)
})

test('node unpacks what was packed, and a part may be packed again', async () => {
  for (let time = 0; time < 2; time++) {
    const packed = await gzipPieces(pieces)
    expect(gunzipSync(packed).equals(whole)).toBe(true)
    expect(packed.length).toBeLessThan(whole.length / 5)
  }
})

test('an independent implementation that is strict about lengths and checksums unpacks it too', async () => {
  const script = 'import gzip, sys; sys.stdout.buffer.write(gzip.decompress(sys.stdin.buffer.read()))'
  const python = spawnSync('python3', ['-c', script], { input: await gzipPieces(pieces), maxBuffer: 2 ** 26 })
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
    .map(([text, times]) => new Part(text.repeat(times)))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(text, part), { maxLength: 12 }), async (pieces) => {
      expect(gunzipSync(await gzipPieces(pieces)).equals(joinPieces(pieces))).toBe(true)
    }),
    { numRuns: 200 },
  )
})
