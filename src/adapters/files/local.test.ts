import { chmod, chown, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lockDataDirectory } from '../../postgres/data-directory.ts'
import { localFiles } from './local.ts'

const nobody = 65_534

test.skipIf(process.geteuid?.() !== 0)(
  'what root puts into a data directory belongs to its owner',
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'rookery-local-'))
    try {
      await chown(directory, nobody, nobody)
      const lock = await lockDataDirectory(directory)
      const files = localFiles(join(directory, 'uploads'))
      await files.check()
      await files.put('1/uploads/ab/file', Buffer.from('content'))
      await files.put('1/uploads/ab/another', Buffer.from('content'))
      await lock.release()
      const paths = await readdir(directory, { recursive: true })
      expect(paths).toEqual(
        expect.arrayContaining(['rookery.lock', 'uploads/.unfinished', 'uploads/1/uploads/ab/file']),
      )
      for (const path of paths)
        expect([path, (await stat(join(directory, path))).uid]).toEqual([path, nobody])
    } finally {
      await rm(directory, { recursive: true })
    }
  },
)

test.skipIf(process.geteuid?.() !== 0)(
  'a file that the server may not read is refused when it is opened',
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'rookery-local-'))
    try {
      const files = localFiles(directory)
      await files.put('1/uploads/ab/file', Buffer.from('content'))
      for (const path of ['', '1', '1/uploads', '1/uploads/ab']) await chmod(join(directory, path), 0o755)
      process.seteuid!(nobody)
      await expect(files.open('1/uploads/ab/file')).rejects.toMatchObject({ code: 'EACCES' })
    } finally {
      process.seteuid!(0)
      await rm(directory, { recursive: true })
    }
  },
)

test('no path leads into another folder', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'rookery-local-'))
  try {
    const files = localFiles(directory)
    await files.put('1/pictures/a.png', Buffer.from('secret'))
    for (const path of [
      '2/pictures/../../1/pictures/a.png',
      '2/./../1/pictures/a.png',
      '/etc/passwd',
      '..',
    ]) {
      await expect(files.open(path), path).rejects.toThrow('leads out of its folder')
      await expect(files.remove(path), path).rejects.toThrow('leads out of its folder')
      await expect(files.put(path, Buffer.from('x')), path).rejects.toThrow('leads out of its folder')
    }
  } finally {
    await rm(directory, { recursive: true })
  }
})
