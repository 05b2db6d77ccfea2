import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { boolean } from '../../../http/params.ts'
import { withZoomToken } from '../kernel/calls/zoom-tokens.ts'
import { zoomOf } from './zoom-oauth.ts'

export const createZoomCall = command('POST /calls/zoom/create', {
  summary: 'Create a Zoom call as the current user and return its join URL',
  access: requireUser,
  params: { is_video_call: boolean().default(true) },
  returns: { url: z.string() },
  async handle(context) {
    const zoom = zoomOf(context.adapters)
    const { is_video_call } = context.params
    const url = await withZoomToken(context, zoom, (access) => zoom.createMeeting(access, is_video_call))
    return { url }
  },
})
