import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { writeFileList } from './file-list.ts'
import {
  type BackupFolder,
  type BackupManifest,
  backupId,
  idsIn,
  manifestOf,
  placesIn,
  prepareFolder,
  writeManifest,
} from './manifest.ts'
import { pruneBackups, removeInterrupted } from './prune.ts'
import { unlessRead, whileReading } from './reading.ts'
import { isWholeDue } from './take.ts'

let places: BackupFolder
let told: string[]

beforeEach(async () => {
  places = placesIn(await mkdtemp(join(tmpdir(), 'rookery-prune-')))
  told = []
  await prepareFolder(places)
})

afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(places.folder, { recursive: true })
})

const content = { bytes: 1, sha256: 'x' }
const idOf = (day: number) => `2026010${day}T000000000Z`
const momentOf = (day: number) => `2026-01-0${day}T00:00:00.000Z`

/** Writes a backup of a day, which builds on the whole copy of another day, with a segment and a file of its own. */
async function backUp(day: number, baseDay = day): Promise<BackupManifest> {
  const id = idOf(day)
  const list = await writeFileList(places, id, new Map([[`file-${day}`, content]]))
  await writeFile(places.file(`file-${day}`), 'x')
  const name = `${day}`.padStart(24, '0')
  await writeFile(places.segment(name), 'x')
  if (day === baseDay) await writeFile(places.base(id), 'x')
  return writeManifest(places, {
    id,
    kind: day === baseDay ? 'full' : 'incremental',
    started_at: momentOf(day),
    moment: momentOf(day),
    finished_at: momentOf(day),
    made_by: 'test',
    schema: [],
    database: {
      form: 'cluster',
      version: 18,
      system: '1',
      base: { id: idOf(baseDay), moment: momentOf(baseDay), ...content },
      wal: [{ name, ...content }],
    },
    heads: [],
    files: { ...list, count: 1, total_bytes: 1 },
    settings: {},
  })
}

const damage = (day: number) => writeFile(places.manifest(idOf(day)), '{')
const prune = (keep: number) => pruneBackups(places, keep, (sentence) => told.push(sentence))
const daysIn = async (folder: string) =>
  (await readdir(folder)).map((name) => Number(/(\d)(T|\.|$)/.exec(name)?.[1])).sort()

test('what interrupted backups have left is removed, unless a damaged one may need it', async () => {
  await backUp(2)
  await backUp(3, 2)
  await writeFile(places.base(idOf(1)), 'x')
  for (const file of [places.base(idOf(4)), places.segment('4')]) await writeFile(`${file}.unfinished`, 'x')
  await writeFile(places.manifest(idOf(5)), 'damaged')
  await removeInterrupted(places)
  expect(await readdir(places.bases)).toEqual([1, 2].map((day) => `${idOf(day)}.tar.gz`))
  expect(await readdir(places.wal)).toHaveLength(2)
  await rm(places.manifest(idOf(5)))
  await removeInterrupted(places)
  expect(await readdir(places.bases)).toEqual([`${idOf(2)}.tar.gz`])
})

test('a damaged manifest is named, and everything stays that its backup may need', async () => {
  await backUp(1)
  await backUp(2, 1)
  await backUp(3)
  await backUp(4, 3)
  await damage(4)
  expect(await prune(1)).toBe(2)
  expect(told).toEqual([
    expect.stringContaining(`The backup in ${places.manifest(idOf(4))} cannot be read: `),
    'What they have copied stays, as the backup that cannot be read may need it.',
  ])
  expect(await daysIn(places.files)).toEqual([1, 2, 3, 4])
  expect(await daysIn(places.bases)).toEqual([1, 3])
  expect(await daysIn(places.wal)).toEqual([1, 2, 3, 4])
  expect((await manifestOf(places, idOf(3))).id).toBe(idOf(3))
})

test('a damaged manifest goes when all backups of its time go', async () => {
  await backUp(1)
  await backUp(2, 1)
  await backUp(3)
  await damage(2)
  expect(await prune(1)).toBe(2)
  expect(await daysIn(places.backups)).toEqual([3, 3])
  expect(await daysIn(places.wal)).toEqual([3])
  expect(await daysIn(places.files)).toEqual([3])
})

test('without the list of a backup, no file is removed', async () => {
  await backUp(1)
  await backUp(2)
  await rm(places.fileList(idOf(2)))
  expect(await prune(1)).toBe(1)
  expect(told).toEqual([expect.stringMatching(/^The list of files .* No copied file was removed\.$/)])
  expect(await daysIn(places.files)).toEqual([1, 2])
})

test('nothing is removed while a command reads, and several may read', async () => {
  await backUp(1)
  await backUp(2)
  await whileReading(places, async () => {
    await whileReading(places, async () => {})
    expect(await unlessRead(places, () => prune(1))).toBe('taken')
  })
  expect(await daysIn(places.bases)).toEqual([1, 2])
  expect(await unlessRead(places, () => prune(1))).toBe(1)
})

test.skipIf(process.platform !== 'linux')(
  'a file system that locks only what may be written is enough',
  async () => {
    await backUp(1)
    await backUp(2)
    // As on NFS: EBADF for an exclusive lock of a file that is open for reading.
    await flockIs(
      '[ "$1" = --shared ] || grep -q "^flags:.*[12]$" /proc/self/fdinfo/3 || exit 66\nexec /usr/bin/flock "$@"',
    )
    await whileReading(places, async () => {
      expect(await unlessRead(places, () => prune(1))).toBe('taken')
    })
    expect(await unlessRead(places, () => prune(1))).toBe(1)
  },
)

test.each([
  ['flock is missing', () => vi.stubEnv('PATH', '/nonexistent')],
  ['the file system cannot lock', () => flockIs('exit 71')],
])('nothing is removed where %s, and backups can be read', async (_, prepare) => {
  await backUp(1)
  await backUp(2)
  await prepare()
  expect(await unlessRead(places, () => prune(1))).toBe('unknown')
  expect(await daysIn(places.bases)).toEqual([1, 2])
  expect(await whileReading(places, async () => 'read')).toBe('read')
})

/** Puts a program before flock(1) on the path. */
async function flockIs(script: string) {
  const file = join(places.folder, 'flock')
  await writeFile(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  vi.stubEnv('PATH', `${places.folder}:${process.env.PATH}`)
}

test('the next backup is whole when the last whole one is old, or much was logged since', async () => {
  const last = await backUp(1)
  const after = (days: number) => new Date(Date.parse(momentOf(1)) + days * 86_400_000)
  expect(isWholeDue(last, after(6.9), 7)).toBe(false)
  expect(isWholeDue(last, after(7.1), 7)).toBe(true)
  // A clock was ahead when that was made.
  expect(isWholeDue(last, after(-7.1), 7)).toBe(true)
  if (last.database.form === 'cluster')
    last.database.wal = Array.from({ length: 1_000 }, () => ({ name: '', ...content }))
  expect(isWholeDue(last, after(1), 7)).toBe(true)
})

test('a backup is the newest one even if the clock was ahead when the last one was made', async () => {
  await backUp(5)
  const [last] = await idsIn(places)
  expect(backupId(new Date(momentOf(6)), last)).toBe(idOf(6))
  const next = backupId(new Date(momentOf(2)), last)
  expect([last, next]).toEqual([last, next].sort())
  expect(backupId(new Date(momentOf(2)), next) > next).toBe(true)
  expect(backupId(new Date(momentOf(2)))).toBe(idOf(2))
})
