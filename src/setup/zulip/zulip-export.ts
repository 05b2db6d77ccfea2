import { createReadStream } from 'node:fs'
import { readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { z } from 'zod'
import { namesIn } from '../../lib/collections/records.ts'
import { isObject } from '../../lib/is-object.ts'
import { fileIn, isLarger, readList, readTables, rootIn } from './export-files.ts'
import { LeftOut } from './left-out.ts'
import {
  type ZulipAttachment,
  type ZulipMessage,
  type ZulipRecord,
  type ZulipRow,
  type ZulipTable,
  type ZulipUserMessage,
  zulipAttachment,
  zulipMessage,
  zulipRecord,
  zulipTables,
} from './zulip-tables.ts'

type FileKind = 'uploads' | 'avatars' | 'emoji' | 'realm_icons'
type Taker = (row: unknown) => void
type MessageFile = {
  /** The number of the file, among `count` files. */
  number: number
  count: number
  messages: ZulipMessage[]
  userMessages: ZulipUserMessage[]
  reactions: ZulipRow<'zerver_reaction'>[]
}

/** The folder of an export of Zulip: its tables in JSON, its messages in files of a thousand, and the files of its users. */
export class ZulipExport {
  /** Counts the parts of the export that the import leaves out. */
  readonly leftOut = new LeftOut()
  private readonly root: string
  private readonly tables = new Map<ZulipTable, unknown[]>()
  private readonly knownById = new Map<ZulipTable, Map<number, { id: number }>>()

  private constructor(root: string) {
    this.root = root
  }

  /** Opens the folder, or the only one in it. Throws an error of one sentence if it holds no such export. */
  static async open(folder: string): Promise<ZulipExport> {
    const source = new ZulipExport(await rootIn(await realpath(folder)))
    await readTables(
      source.root,
      'realm.json',
      Object.fromEntries(namesIn(zulipTables).map((table) => [table, source.takerOf(table)])),
    )
    return source
  }

  /** The name of the organization in the export. */
  get name(): string {
    return this.rows('zerver_realm')[0]?.name.trim() ?? ''
  }

  /** Returns the rows of a table that have the expected form. Those that are damaged count as left out. */
  rows<T extends ZulipTable>(table: T): ZulipRow<T>[] {
    return (this.tables.get(table) ?? []) as ZulipRow<T>[]
  }

  /** Returns the rows of a table once, and forgets them: the table may be large. */
  takeRows<T extends ZulipTable>(table: T): ZulipRow<T>[] {
    const rows = this.rows(table)
    this.tables.delete(table)
    return rows
  }

  /** Returns the rows of a table by id, without rows that repeat an id. */
  byId<T extends ZulipTable>(table: T): Map<number, ZulipRow<T> & { id: number }> {
    const known = this.knownById.get(table) ?? this.unique(this.rows(table) as { id: number }[])
    this.knownById.set(table, known)
    return known as Map<number, ZulipRow<T> & { id: number }>
  }

  unique<Row extends { id: number }>(rows: readonly Row[]): Map<number, Row> {
    const byId = new Map<number, Row>()
    for (const row of rows) {
      if (byId.has(row.id)) this.leftOut.add('repeated')
      else byId.set(row.id, row)
    }
    return byId
  }

  async attachments(): Promise<ZulipAttachment[]> {
    const attachments: ZulipAttachment[] = []
    if (!(await this.isThere('attachment.json'))) return []
    await readTables(this.root, 'attachment.json', {
      zerver_attachment: this.taker(zulipAttachment, attachments),
    })
    return attachments
  }

  /** Yields the files of messages in their order. No more than one is in memory. */
  async *messageFiles(): AsyncIterable<MessageFile> {
    const names = (await readdir(this.root)).filter((name) => /^messages-\d+\.json$/.test(name))
    const numberOf = (name: string) => Number(/\d+/.exec(name)?.[0])
    names.sort((a, b) => numberOf(a) - numberOf(b))
    for (const [i, name] of names.entries()) {
      const file: MessageFile = {
        number: i + 1,
        count: names.length,
        messages: [],
        userMessages: [],
        reactions: [],
      }
      await readTables(this.root, name, {
        zerver_message: this.taker(zulipMessage, file.messages),
        zerver_usermessage: (row) => this.takeUserMessage(row, file.userMessages),
        zerver_reaction: this.taker(zulipTables.zerver_reaction, file.reactions),
      })
      file.messages.sort((a, b) => a.id - b.id)
      yield file
    }
  }

  /** Returns the records of files of a kind. */
  async records(kind: FileKind): Promise<ZulipRecord[]> {
    const name = `${kind}/records.json`
    const records: ZulipRecord[] = []
    if (!(await this.isThere(name))) return []
    await readList(this.root, name, this.taker(zulipRecord, records))
    return records
  }

  /** Opens a file of a kind; undefined if the export does not have it, or it is larger than `mostMib`. */
  async openFile(kind: FileKind, path: string, mostMib?: number): Promise<Readable | undefined> {
    const file = await fileIn(join(this.root, kind), path)
    if (file === undefined) return undefined
    const isLarge = mostMib !== undefined && (await isLarger(file, mostMib))
    return isLarge ? undefined : createReadStream(file)
  }

  private async isThere(name: string) {
    return (await fileIn(this.root, name)) !== undefined
  }

  /** Returns the function that receives the rows of a table of the export. */
  private takerOf(table: ZulipTable): Taker {
    const rows: unknown[] = []
    this.tables.set(table, rows)
    return this.taker<unknown>(zulipTables[table], rows)
  }

  /** Returns a function that adds rows of this form to a list, and counts damaged ones as left out. */
  private taker<Row>(schema: z.ZodType<Row>, rows: Row[]): Taker {
    return (row) => {
      const { success, data } = schema.safeParse(row)
      if (success) rows.push(data)
      else this.leftOut.add('damagedRows')
    }
  }

  /** There are many of these: they are checked without a schema. */
  private takeUserMessage(row: unknown, rows: ZulipUserMessage[]) {
    const isValid =
      isObject(row) &&
      Number.isSafeInteger(row.user_profile) &&
      Number.isSafeInteger(row.message) &&
      Number.isSafeInteger(row.flags_mask)
    if (!isValid) return this.leftOut.add('damagedRows')
    const { user_profile, message, flags_mask } = row as ZulipUserMessage
    rows.push({ user_profile, message, flags_mask })
  }
}
