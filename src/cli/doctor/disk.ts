import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Finding } from './checks.ts'

/** Bytes below which the disk is nearly full, and full. */
const [nearlyFull, full] = [2 * 1024 ** 3, 200 * 1024 ** 2]

/** Free entries for files below which there are too few, and none. */
const [fewFiles, noFiles] = [10_000, 100]

/** Checks the disk of a directory, or of the nearest one above it. */
export async function* checkDisk(directory: string): AsyncGenerator<Finding> {
  const there = await stat(directory).catch(() => undefined)
  if (!there && dirname(directory) !== directory) return yield* checkDisk(dirname(directory))
  const { bavail, bsize, files, ffree } = await statfs(directory)
  const advice = 'Make room: without any, no message can be kept.'
  const free = bavail * bsize
  const what = `${(free / 1024 ** 3).toFixed(1)} GiB free on the disk of ${directory}`
  if (free >= nearlyFull) yield { level: 'ok', what }
  else yield { level: free < full ? 'FAIL' : 'warn', what, advice }
  // Some file systems do not count files.
  if (files === 0 || ffree >= fewFiles) return
  const whatOfFiles = `room for ${ffree} more files on the disk of ${directory}, whatever their size (df -i)`
  yield { level: ffree < noFiles ? 'FAIL' : 'warn', what: whatOfFiles, advice }
}
