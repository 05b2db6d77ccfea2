import { z } from 'zod'
import { requireAdministrator } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { realmPictureUrl } from './picture-urls.ts'
import { removeRealmPicture } from './realm-pictures.ts'

export const removeRealmIcon = command('DELETE /realm/icon', {
  summary: "Remove the organization's icon and restore the default",
  access: requireAdministrator,
  params: {},
  returns: { icon_url: z.string() },
  async handle(context) {
    await removeRealmPicture(context, 'icon')
    return { icon_url: realmPictureUrl(context.realm, context.site, 'icon') }
  },
})
