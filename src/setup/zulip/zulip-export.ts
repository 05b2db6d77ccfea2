import { createReadStream } from 'node:fs'
import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import type { Readable } from 'node:stream'
import type { z } from 'zod'
import { codeOf, messageOf } from '../../lib/errors.ts'
import { isObject } from '../../lib/is-object.ts'
import { LeftOut } from './left-out.ts'
import { zulipLimits } from './limits.ts'
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
type MessageFile = {
  messages: ZulipMessage[]
  userMessages: ZulipUserMessage[]
  reactions: ZulipRow<'zerver_reaction'>[]
}

/** The folder of an export of Zulip: its tables in JSON, its messages in files of a thousand, and the files of its users. */
export class ZulipExport {
  /** What is left out of it. */
  readonly leftOut = new LeftOut()
  private readonly root: string
  private readonly tables: Record<string, unknown>
  private readonly known = new Map<ZulipTable, unknown[]>()
  private readonly knownById = new Map<ZulipTable, Map<number, { id: number }>>()

  private constructor(root: string, tables: Record<string, unknown>) {
    this.root = root
    this.tables = tables
  }

  /** Opens the folder, or the only one in it. Throws an error of one sentence if it holds no such export. */
  static async open(folder: string): Promise<ZulipExport> {
    const root = await rootIn(await realpath(folder))
    return new ZulipExport(root, await readObject(root, 'realm.json', zulipLimits.tableFileMib))
  }

  /** What the organization is called there. */
  get name(): string {
    return this.rows('zerver_realm')[0]?.name.trim() ?? ''
  }

  /** Returns the rows of a table that have the expected form. Those that are damaged count as left out, once. */
  rows<T extends ZulipTable>(table: T): ZulipRow<T>[] {
    const known = this.known.get(table)
    if (known) return known as ZulipRow<T>[]
    const rows = this.takeRows(table)
    this.known.set(table, rows)
    return rows
  }

  /** Does the same once, for a table that may be large. */
  takeRows<T extends ZulipTable>(table: T): ZulipRow<T>[] {
    const rows = this.tables[table]
    delete this.tables[table]
    return this.parsed(rows, zulipTables[table] as unknown as z.ZodType<ZulipRow<T>>)
  }

  /** Returns the same without those that repeat an id. */
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
    if (!(await this.isThere('attachment.json'))) return []
    const { zerver_attachment } = await readObject(this.root, 'attachment.json', zulipLimits.tableFileMib)
    return this.parsed(zerver_attachment, zulipAttachment)
  }

  /** Yields the files of messages in their order. No more than one is in memory. */
  async *messageFiles(): AsyncIterable<MessageFile> {
    const names = (await readdir(this.root)).filter((name) => /^messages-\d+\.json$/.test(name))
    const numberOf = (name: string) => Number(/\d+/.exec(name)?.[0])
    for (const name of names.sort((a, b) => numberOf(a) - numberOf(b))) {
      const content = await readObject(this.root, name, zulipLimits.messageFileMib)
      const messages = this.parsed(content.zerver_message, zulipMessage)
      yield {
        messages: messages.sort((a, b) => a.id - b.id),
        userMessages: this.userMessages(content.zerver_usermessage),
        reactions: this.parsed(content.zerver_reaction, zulipTables.zerver_reaction),
      }
    }
  }

  /** Returns the records of files of a kind. */
  async records(kind: FileKind): Promise<ZulipRecord[]> {
    const name = `${kind}/records.json`
    if (!(await this.isThere(name))) return []
    const content = await readJson(this.root, name, zulipLimits.tableFileMib)
    return this.parsed(content, zulipRecord)
  }

  /** Opens a file of a kind; undefined if the export does not have it, or it is larger than `mostMib`. */
  async openFile(kind: FileKind, path: string, mostMib?: number): Promise<Readable | undefined> {
    const file = await fileIn(join(this.root, kind), path)
    if (file === undefined) return undefined
    const isLarge = mostMib !== undefined && (await stat(file)).size > mostMib * 1024 * 1024
    return isLarge ? undefined : createReadStream(file)
  }

  private async isThere(name: string) {
    return (await fileIn(this.root, name)) !== undefined
  }

  private parsed<Row>(rows: unknown, schema: z.ZodType<Row>): Row[] {
    if (!Array.isArray(rows)) return []
    return rows.flatMap((row) => {
      const { success, data } = schema.safeParse(row)
      if (success) return [data]
      this.leftOut.add('damagedRows')
      return []
    })
  }

  /** There are many of these: they are checked without a schema. */
  private userMessages(rows: unknown): ZulipUserMessage[] {
    if (!Array.isArray(rows)) return []
    return rows.filter((row): row is ZulipUserMessage => {
      const isValid =
        isObject(row) &&
        Number.isSafeInteger(row.user_profile) &&
        Number.isSafeInteger(row.message) &&
        Number.isSafeInteger(row.flags_mask)
      if (!isValid) this.leftOut.add('damagedRows')
      return isValid
    })
  }
}

async function rootIn(folder: string): Promise<string> {
  if (await fileIn(folder, 'realm.json')) return folder
  const inner = await readdir(folder, { withFileTypes: true })
  for (const { name } of inner.filter((entry) => entry.isDirectory())) {
    if (await fileIn(join(folder, name), 'realm.json')) return join(folder, name)
  }
  throw new Error('This is no export of Zulip: it has no realm.json.')
}

/** Returns the path of a file in the folder; undefined if it is not there, or only by a link that leads elsewhere. */
async function fileIn(root: string, name: string): Promise<string | undefined> {
  const path = resolve(root, name)
  if (name.includes('\0') || !path.startsWith(root + sep)) return undefined
  try {
    const isFile = (await lstat(path)).isFile()
    return isFile && (await realpath(path)) === path ? path : undefined
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP'].includes(codeOf(error) ?? '')) return undefined
    throw error
  }
}

async function readObject(root: string, name: string, mostMib: number): Promise<Record<string, unknown>> {
  const content = await readJson(root, name, mostMib)
  if (isObject(content)) return content
  throw new Error(`The export is damaged: ${name} has no tables.`)
}

async function readJson(root: string, name: string, mostMib: number): Promise<unknown> {
  const path = await fileIn(root, name)
  if (path === undefined) throw new Error(`The export is damaged: ${name} is not a file.`)
  if ((await stat(path)).size > mostMib * 1024 * 1024) {
    throw new Error(`The export cannot be read: ${name} is larger than ${mostMib} MiB.`)
  }
  const content = await readFile(path, 'utf8')
  try {
    return JSON.parse(content)
  } catch (error) {
    throw new Error(`The export is damaged: ${name} cannot be read (${messageOf(error)}).`, { cause: error })
  }
}
