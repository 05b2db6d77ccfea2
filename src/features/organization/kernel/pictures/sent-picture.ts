import type { ReceivedFile } from '../../../../http/files.ts'
import { badRequest } from '../../../../lib/api-error.ts'

/** The one picture that came with a request. 400 with this message if there is none, or several. */
export function onePicture(files: ReceivedFile[], otherwise: string): ReceivedFile {
  const [file] = files
  if (!file || files.length > 1) throw badRequest(otherwise)
  return file
}
