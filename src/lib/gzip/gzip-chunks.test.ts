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
  gzipChunks,
  joinedChunk,
  sharedChunk,
  sizeOfChunks,
} from './gzip-chunks.ts'

const big = sharedChunk(
  JSON.stringify(Array.from({ length: 5000 }, (_, i) => ({ id: i, name: `person ${i} – ü😀` }))),
)
const small = sharedChunk('"small"')
const chunks: Chunk[] = [
  ...['{"a":', big, ',"b":', small, ',"c":"é"', ',"d":', big],
  ...[Buffer.from(',"e":"ü"'), ',"f":"ä"', Buffer.from(',"g":"ö"}')],
]
const whole = Buffer.concat(
  chunks.map((chunk) => (typeof chunk === 'object' && 'bytes' in chunk ? chunk.bytes : Buffer.from(chunk))),
)

test('the chunks become one text', () => {
  expect(Buffer.concat(bytesOf(chunks)).equals(whole)).toBe(true)
  expect(bytesOf([])).toHaveLength(0)
  expect(sizeOfChunks(chunks)).toBeGreaterThan(2 * big.size)
})

test('node unpacks what was packed, and a part may be packed again', async () => {
  for (let time = 0; time < 2; time++) {
    const packed = Buffer.concat(await gzipChunks(chunks))
    expect(gunzipSync(packed).equals(whole)).toBe(true)
    expect(packed.length).toBeLessThan(whole.length / 5)
  }
})

test('a file is read while many new parts are being packed', async () => {
  const many = Array.from({ length: 400 }, (_, i) => sharedChunk(`${i} ü `.repeat(5_000)))
  let isPacked = false
  const packing = gzipChunks(many).then((packed) => {
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
      const packed = Buffer.concat(await gzipChunks(['<', alike, '>']))
      expect(gunzipSync(packed).toString()).toBe(`<${bytes}>`)
    }
  }
  expect(kept).toHaveLength(1)
  expect(kept[0]).toBeGreaterThan(0)
})

test('what is kept takes no more memory than its bytes', async () => {
  const deflated = await sharedChunk('short '.repeat(100)).deflated()
  expect(deflated.buffer.byteLength).toBe(deflated.length)
})

test('an independent implementation that is strict about lengths and checksums unpacks it too', async () => {
  const script = 'import gzip, sys; sys.stdout.buffer.write(gzip.decompress(sys.stdin.buffer.read()))'
  const python = spawnSync('python3', ['-c', script], {
    input: Buffer.concat(await gzipChunks(chunks)),
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

test('any chunks in any order survive', async () => {
  const text = fc.string({ unit: 'binary' })
  const part = fc
    .tuple(text, fc.integer({ min: 1, max: 400 }))
    .map(([text, times]) => sharedChunk(text.repeat(times)))
  const chunk = fc.oneof(text, part)
  const joined = fc.array(chunk, { maxLength: 4 }).map(joinedChunk)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(chunk, joined), { maxLength: 12 }), async (chunks) => {
      const packed = Buffer.concat(await gzipChunks(chunks))
      expect(gunzipSync(packed).equals(Buffer.concat(bytesOf(chunks)))).toBe(true)
    }),
    { numRuns: 200 },
  )
})
