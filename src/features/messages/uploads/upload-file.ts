import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import type { ReceivedFile } from '../../../http/body/files.ts'
import { command } from '../../../http/endpoint.ts'
import { files } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { uploadLimits } from './limits.ts'
import { storeUpload } from './store-upload.ts'

export const uploadFile = command('POST /user_uploads', {
  summary: 'Upload a file',
  creates: true,
  access: requireUser,
  params: { file: files({ max: uploadLimits.uploadMib * 1024 * 1024 }) },
  returns: {
    uri: z.string(), // until level 272, and for clients that know nothing else
    url: z.string(),
    filename: z.string(), // level 285
  },
  handle: (context) => storeUpload(context, oneOf(context.params.file)),
})

function oneOf(received: ReceivedFile[]): ReceivedFile {
  const [file, another] = received
  if (another) throw badRequest('You may only upload one file at a time')
  if (!file) throw badRequest('You must specify a file to upload')
  return file
}
