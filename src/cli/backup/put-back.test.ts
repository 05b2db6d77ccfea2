import { expect, test } from 'vitest'
import { newDirectory } from '../../../test/command-line.ts'
import { readConfig } from '../../config/config.ts'
import { placesIn } from './manifest.ts'
import { putFilesBack } from './put-back.ts'

test('a file that a backup lists and lacks is named', async () => {
  const [folder, directory] = [await newDirectory(), await newDirectory()]
  const places = placesIn(folder)
  const config = readConfig({ ROOKERY_DATA: directory })
  const list = new Map([['1/uploads/ab/cd', { bytes: 1, sha256: '' }]])
  await expect(putFilesBack(config, places, list)).rejects.toThrow(
    `${places.file('1/uploads/ab/cd')} cannot be read: there is no such file.`,
  )
})
