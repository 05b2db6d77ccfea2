import { crc32 } from 'node:zlib'

/**
 * Returns a ZIP file of these files, each with its content as JSON. Nothing in it is compressed. `flags`: those of each file; by
 * default, that its name is in UTF-8.
 */
export function zipOf(files: Record<string, unknown>, flags = 0x800): Buffer {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, content] of Object.entries(files)) {
    const path = Buffer.from(name)
    const bytes = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content))
    const facts = factsOf(path, bytes, flags)
    const body = Buffer.concat([Buffer.from('PK\x03\x04\x14\x00', 'latin1'), facts, path, bytes])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(at, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\x00\x14\x00', 'latin1'), facts, place, path)
    bodies.push(body)
    at += body.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(bodies.length, 4)
  end.writeUInt16LE(bodies.length, 6)
  end.writeUInt32LE(list.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...bodies, list, Buffer.from('PK\x05\x06', 'latin1'), end])
}

/** What both heads of a file say: flags, method, time, checksum, sizes, length of the name and of what follows it. */
function factsOf(path: Buffer, bytes: Buffer, flags: number): Buffer {
  const facts = Buffer.alloc(24)
  facts.writeUInt16LE(flags, 0)
  facts.writeUInt32LE(crc32(bytes), 8)
  facts.writeUInt32LE(bytes.length, 12)
  facts.writeUInt32LE(bytes.length, 16)
  facts.writeUInt16LE(path.length, 20)
  return facts
}
