import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { boolean } from '../../../http/params.ts'
import { folderSchema, folders } from './folder-view.ts'

export const getChannelFolders = query('GET /channel_folders', {
  summary: 'List the channel folders',
  since: 389,
  access: requireUser,
  params: { include_archived: boolean().default(false) },
  returns: { channel_folders: z.array(folderSchema) },
  async handle({ realm, params }) {
    const channel_folders = folders(realm).filter((one) => params.include_archived || !one.is_archived)
    return { channel_folders }
  },
})
