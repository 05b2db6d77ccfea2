import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clusterVersionHere } from './cluster-version.ts'
import { startEmbeddedPostgres } from './embedded.ts'

test('a database of another major version stays as it is, and the start says what to do', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'rookery-version-'))
  const cluster = join(directory, 'postgres')
  await mkdir(cluster)
  await writeFile(join(cluster, 'PG_VERSION'), '14\n')
  await expect(startEmbeddedPostgres({ dataDir: directory, log: () => {} })).rejects.toThrow(
    `The database in ${cluster} is of PostgreSQL 14, and this version of Rookery brings PostgreSQL ${clusterVersionHere()}. ` +
      'Start the version of before, run rookery export FILE for each organization',
  )
  await rm(directory, { recursive: true })
})
