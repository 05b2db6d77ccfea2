import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')

/** Frees the memory of what is no longer used. */
export const collectGarbage: () => void = runInNewContext('gc')

/** Returns how many bytes of the heap are in use. */
export function heapInUse() {
  collectGarbage()
  return process.memoryUsage().heapUsed
}
