import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { installedPrograms } from './embedded-programs.ts'

/** The major version of the bundled PostgreSQL. */
export function clusterVersionHere(): number {
  const file = join(installedPrograms(), '../package.json')
  const { version }: { version: string } = JSON.parse(readFileSync(file, 'utf8'))
  return Number.parseInt(version, 10)
}

/** The major version of the PostgreSQL that made a cluster. */
export async function clusterVersion(cluster: string): Promise<number> {
  return Number.parseInt(await readFile(join(cluster, 'PG_VERSION'), 'utf8'), 10)
}
