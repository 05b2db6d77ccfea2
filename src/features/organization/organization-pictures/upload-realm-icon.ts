import { z } from 'zod'
import { requireAdministrator } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { files } from '../../../http/params.ts'
import { onePicture } from '../kernel/pictures/sent-picture.ts'
import { organizationPictureLimits } from './limits.ts'
import { realmPictureUrl } from './picture-urls.ts'
import { uploadRealmPicture } from './realm-pictures.ts'

export const uploadRealmIcon = command('POST /realm/icon', {
  summary: "Upload the organization's icon",
  access: requireAdministrator,
  params: { files: files({ max: organizationPictureLimits.iconMib * 2 ** 20 }) },
  returns: { icon_url: z.string() },
  async handle(context) {
    const sent = onePicture(context.params.files, 'You must upload exactly one icon.')
    await uploadRealmPicture(context, 'icon', sent)
    return { icon_url: realmPictureUrl(context.realm, context.site, 'icon') }
  },
})
