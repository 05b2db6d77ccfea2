import { chown, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newDirectory } from '../../../test/command-line.ts'
import { collect } from '../../../test/findings.ts'
import { readConfig } from '../../config/config.ts'
import { checkOwners, checkUploads } from './file-owners.ts'

test.runIf(process.getuid?.() === 0)(
  'doctor names what belongs to another user than the data directory, and no link',
  async () => {
    const [directory, elsewhere] = [await newDirectory(), await newDirectory()]
    const config = readConfig({ ROOKERY_DATA: directory })
    const file = join(directory, 'uploads', '1', 'uploads')
    await mkdir(file, { recursive: true })
    await symlink(elsewhere, join(directory, 'postgres'))
    expect(await collect(checkOwners(config))).toEqual([])
    for (const path of [elsewhere, directory, join(directory, 'uploads'), join(directory, 'uploads', '1')])
      await chown(path, 12_345, 12_346)
    expect(await collect(checkOwners(config))).toEqual([
      {
        level: 'FAIL',
        what: `${file} belongs to the user with the number 0, and the data directory to the one with 12345`,
        advice: `As root: chown -R 12345:12346 ${directory}`,
      },
    ])
    await chown(file, 12_345, 12_346)
    expect(await collect(checkOwners(config))).toEqual([])
  },
)

test('doctor names a directory of uploads that is none', async () => {
  const config = readConfig({ ROOKERY_DATA: await newDirectory() })
  const uploads = join(config.dataDirectory, 'uploads')
  expect(await collect(checkUploads(config))).toEqual([])
  await writeFile(uploads, '')
  expect(await collect(checkUploads(config))).toMatchObject([
    { level: 'FAIL', what: `${uploads} is no directory` },
  ])
  await rm(uploads)
  await mkdir(uploads)
  expect(await collect(checkUploads(config))).toEqual([])
})
