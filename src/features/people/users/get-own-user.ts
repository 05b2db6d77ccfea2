import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { newestReceived } from '../../kernel/messages/newest-received.ts'
import { userView } from '../../kernel/users/user-view.ts'
import { userSchema } from './user-params.ts'

export const getOwnUser = query('GET /users/me', {
  summary: 'Get the current user',
  access: requireUser,
  params: {},
  returns: { ...userSchema.shape, max_message_id: z.int() },
  async handle({ realm, me, site, read }) {
    return {
      ...userView(realm, site, me, { viewer: me, clientGravatar: false, includeProfile: true }),
      max_message_id: await newestReceived(read, realm, me),
    }
  },
})
