// The bytes that give JSON its structure. All of them are ASCII, so they are part of no other character in UTF-8.
const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openList = 0x5b
const backslash = 0x5c
const closeList = 0x5d
const openObject = 0x7b
const closeObject = 0x7d

const isStructure = new Uint8Array(256)
for (const byte of [quote, comma, colon, openList, closeList, openObject, closeObject]) isStructure[byte] = 1
const space = 0x20

/** Chooses the tables whose rows are wanted, and receives the rows. `table` is '' in a file that is one list. */
type Rows = {
  wants: (table: string) => boolean
  take: (table: string, row: unknown) => void
  /** The most bytes of one row that is wanted, and of all of them. */
  rowBytes: number
  allBytes: number
}

/**
 * Finds the rows in JSON that arrives in pieces: an object whose values are lists of rows, or one list. It keeps the row that is under
 * way and no other, and nothing of what is not wanted. Throws a SyntaxError if the JSON is damaged, and a RangeError if the rows are
 * too large.
 */
export class RowScanner {
  private readonly rows: Rows
  private depth = 0
  /** The depth at which rows are: 1 in a list, and 2 in an object of lists; 0 before the beginning. */
  private rowDepth = 0
  private inString = false
  private isEscaped = false
  private table = ''
  /** Whether the next text in the object is the name of a table. */
  private expectsName = true
  private inRows = false
  private isFirst = true
  /** The position in the bytes at hand where the row or name under way begins; -1 if there is none. */
  private start = -1
  private kept: Buffer = Buffer.alloc(0)
  /** The bytes of the rows so far. */
  private size = 0

  constructor(rows: Rows) {
    this.rows = rows
  }

  /** Whether the file is one list. */
  get isList(): boolean {
    return this.rowDepth === 1
  }

  add(piece: Buffer) {
    const bytes = this.kept.length > 0 ? Buffer.concat([this.kept, piece]) : piece
    for (let at = this.kept.length; at < bytes.length; at++) {
      const byte = bytes[at]!
      if (this.inString) at = this.passString(bytes, at)
      else if (this.depth === 0) this.begin(at, byte)
      else if (isStructure[byte]) this.pass(bytes, at, byte)
    }
    this.kept = this.start < 0 ? Buffer.alloc(0) : bytes.subarray(this.start)
    if (this.start >= 0) this.start = 0
    if (this.kept.length > this.rows.rowBytes) throw new RangeError('it has a row that is too large')
  }

  /** Throws unless the JSON is complete. */
  end() {
    if (this.rowDepth === 0 || this.depth > 0) throw new SyntaxError('it ends too early')
  }

  /** Returns where the string ends, or the last of the bytes. */
  private passString(bytes: Buffer, from: number): number {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at]
      if (this.isEscaped) this.isEscaped = false
      else if (byte === backslash) this.isEscaped = true
      else if (byte === quote) {
        this.inString = false
        this.endName(bytes, at + 1)
        return at
      }
    }
    return bytes.length
  }

  private begin(at: number, byte: number) {
    if (byte <= space) return
    if (this.rowDepth > 0) throw new SyntaxError('it goes on behind its end')
    if (byte !== openList && byte !== openObject) throw new SyntaxError('it is neither an object nor a list')
    this.rowDepth = byte === openList ? 1 : 2
    this.open(at, byte)
  }

  private pass(bytes: Buffer, at: number, byte: number) {
    switch (byte) {
      case quote:
        this.inString = true
        if (this.isAmongTables && this.expectsName) this.start = at
        return
      case colon:
        if (this.isAmongTables) this.expectsName = false
        return
      case comma:
        if (this.isAmongTables) this.expectsName = true
        else if (this.isAmongRows) this.endRow(bytes, at)
        return
      case openList:
      case openObject:
        this.open(at, byte)
        return
      case closeList:
      case closeObject:
        this.close(bytes, at, byte)
    }
  }

  private get isAmongTables(): boolean {
    return this.depth === 1 && this.rowDepth === 2
  }

  private get isAmongRows(): boolean {
    return this.inRows && this.depth === this.rowDepth
  }

  private open(at: number, byte: number) {
    this.depth += 1
    if (this.depth !== this.rowDepth) return
    this.inRows = byte === openList && this.rows.wants(this.table)
    this.isFirst = true
    this.start = this.inRows ? at + 1 : -1
  }

  private close(bytes: Buffer, at: number, byte: number) {
    if (this.isAmongRows ? byte !== closeList : this.isAmongTables && byte !== closeObject)
      throw new SyntaxError('it has a wrong bracket')
    if (this.isAmongRows) {
      const isEmpty = this.isFirst && bytes.toString('latin1', this.start, at).trim() === ''
      if (!isEmpty) this.endRow(bytes, at)
      this.inRows = false
      this.start = -1
    }
    this.depth -= 1
  }

  private endName(bytes: Buffer, to: number) {
    if (!this.isAmongTables || this.start < 0) return
    this.table = JSON.parse(bytes.toString('utf8', this.start, to))
    this.start = -1
  }

  private endRow(bytes: Buffer, to: number) {
    this.size += to - this.start
    if (this.size > this.rows.allBytes) throw new RangeError('its rows are too large')
    const row: unknown = JSON.parse(bytes.toString('utf8', this.start, to))
    this.isFirst = false
    this.start = to + 1
    this.rows.take(this.table, row)
  }
}
