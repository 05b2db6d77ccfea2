import { createReadStream } from 'node:fs'
import { lstat, readdir, realpath, stat } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { codeOf, messageOf } from '../../lib/errors.ts'
import { zulipLimits } from './limits.ts'
import { RowScanner } from './row-scanner.ts'

/** Returns the folder that has the tables of an export: the one that is given, or one in it. */
export async function rootIn(folder: string): Promise<string> {
  if (await fileIn(folder, 'realm.json')) return folder
  const inner = await readdir(folder, { withFileTypes: true })
  for (const { name } of inner.filter((entry) => entry.isDirectory())) {
    if (await fileIn(join(folder, name), 'realm.json')) return join(folder, name)
  }
  throw new Error('This is no export of Zulip: it has no realm.json.')
}

/** Returns the path of a file in the folder; undefined if it is not there, or only by a link that leads elsewhere. */
export async function fileIn(root: string, name: string): Promise<string | undefined> {
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

/** Whether a file has more MiB than this. */
export async function isLarger(path: string, mostMib: number): Promise<boolean> {
  return (await stat(path)).size > mostMib * mib
}

/** By table: what receives its rows. Those of other tables are not read. */
type Takers = Readonly<Record<string, ((row: unknown) => void) | undefined>>

/** Reads the rows of some tables in a file of an export, one after the other. */
export async function readTables(root: string, name: string, takers: Takers) {
  const { isList } = await scan(root, name, {
    wants: (table) => Object.hasOwn(takers, table),
    take: (table, row) => takers[table]?.(row),
  })
  if (isList) throw new Error(`The export is damaged: ${name} has no tables.`)
}

/** Reads the rows in a file that is one list. */
export async function readList(root: string, name: string, take: (row: unknown) => void) {
  await scan(root, name, { wants: (table) => table === '', take: (_table, row) => take(row) })
}

type Wanted = Pick<ConstructorParameters<typeof RowScanner>[0], 'wants' | 'take'>

async function scan(root: string, name: string, wanted: Wanted): Promise<RowScanner> {
  const path = await fileIn(root, name)
  if (path === undefined) throw new Error(`The export is damaged: ${name} is not a file.`)
  const scanner = new RowScanner({
    ...wanted,
    rowBytes: zulipLimits.rowMib * mib,
    allBytes: zulipLimits.fileRowsMib * mib,
  })
  try {
    for await (const piece of createReadStream(path, { highWaterMark: pieceBytes })) scanner.add(piece)
    scanner.end()
    return scanner
  } catch (error) {
    if (error instanceof RangeError)
      throw new Error(`The export cannot be read: ${name} is too large (${messageOf(error)}).`, {
        cause: error,
      })
    if (!(error instanceof SyntaxError)) throw error
    throw new Error(`The export is damaged: ${name} cannot be read (${messageOf(error)}).`, { cause: error })
  }
}

const mib = 1024 * 1024
const pieceBytes = mib
