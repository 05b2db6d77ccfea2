import type { ReceivedFile } from '../../../../http/body/files.ts'
import { badRequest } from '../../../../lib/api-error.ts'

/** Returns the only picture in a request. Throws 400 with this message if there are none or several. */
export function onePicture(files: ReceivedFile[], otherwise: string): ReceivedFile {
  const [file] = files
  if (!file || files.length > 1) throw badRequest(otherwise)
  return file
}
