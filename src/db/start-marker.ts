import { randomUUID } from 'node:crypto'
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { systemClock } from '../lib/clock.ts'
import { giveToOwnerOf, makeDirectory } from '../lib/files/ownership.ts'
import { beginEpochs } from './epoch.ts'

/** After this many days, a server that does not start again is forgotten. */
const startDays = 400

type Marker = { token: string; isGenuine: boolean }

/**
 * Records that a server starts, in the database and in a folder of the data directory (`name`). Begins new epochs and returns true if the
 * database is not as the directory's last server left it, because an older copy of either was restored. `isOwn`: the database is part
 * of the directory.
 *
 * The marker in the directory has a new name at each start, and identifies its file (by inode and time of birth), so a
 * copy of it is recognized as a copy, however it was made.
 */
export async function noteStart(
  client: pg.ClientBase,
  dataDirectory: string,
  isOwn: boolean,
  name = 'starts',
): Promise<boolean> {
  const folder = join(dataDirectory, name)
  await makeDirectory(folder)
  const markers = await readMarkers(folder)
  const token = randomUUID()
  await client.query('BEGIN')
  const wasPutBack = !(await continues(client, markers, isOwn))
  if (wasPutBack) await beginEpochs(client)
  await writeRow(client, token, markers, isOwn)
  await client.query('COMMIT')
  await writeMarker(folder, token)
  for (const marker of markers) await rm(join(folder, marker.token), { force: true })
  return wasPutBack
}

async function continues(client: pg.ClientBase, markers: Marker[], isOwn: boolean): Promise<boolean> {
  if (markers.length === 0) return !isOwn || !(await hasStarted(client))
  if (isOwn && markers.some(({ isGenuine }) => !isGenuine)) return false
  const tokens = markers.map(({ token }) => token)
  const { rows } = await client.query(
    `SELECT FROM unnest($1::uuid[]) AS t(token)
     WHERE NOT EXISTS (SELECT FROM server_start s WHERE s.token = t.token OR t.token = ANY(s.previous))`,
    [tokens],
  )
  return rows.length === 0
}

async function hasStarted(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query('SELECT FROM server_start LIMIT 1')
  return rows.length > 0
}

/** Servers with a database elsewhere may have begun with copies of one directory: the rows of the others stay. */
async function writeRow(client: pg.ClientBase, token: string, markers: Marker[], isOwn: boolean) {
  const now = systemClock()
  const earlier = markers.map((marker) => marker.token)
  const replaced = markers.filter(({ isGenuine }) => isGenuine).map((marker) => marker.token)
  await client.query(
    `DELETE FROM server_start WHERE $1::boolean OR token = ANY($2::uuid[]) OR started_at < $3`,
    [isOwn, replaced, now - startDays * 86_400],
  )
  await client.query('INSERT INTO server_start (token, previous, started_at) VALUES ($1, $2, $3)', [
    token,
    earlier,
    now,
  ])
}

const name = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

async function readMarkers(folder: string): Promise<Marker[]> {
  const tokens = (await readdir(folder)).filter((file) => name.test(file))
  return Promise.all(
    tokens.map(async (token) => {
      const path = join(folder, token)
      const said = await readFile(path, 'utf8')
      return { token, isGenuine: said === identityOf(await stat(path)) }
    }),
  )
}

/** Writes the marker whole or not at all: under another name first. */
async function writeMarker(folder: string, token: string) {
  const unfinished = join(folder, 'unfinished')
  await rm(unfinished, { force: true })
  const file = await open(unfinished, 'wx', 0o600)
  try {
    await file.writeFile(identityOf(await file.stat()))
    await file.sync()
  } finally {
    await file.close()
  }
  await giveToOwnerOf(folder, unfinished)
  await rename(unfinished, join(folder, token))
}

function identityOf({ ino, birthtimeMs }: { ino: number; birthtimeMs: number }): string {
  return `${ino} ${birthtimeMs}\n`
}
