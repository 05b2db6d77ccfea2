import { requireAdministrator } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { boolean, files } from '../../../http/params.ts'
import { onePicture } from '../kernel/pictures/sent-picture.ts'
import { organizationPictureLimits } from './limits.ts'
import { uploadRealmPicture } from './realm-pictures.ts'

export const uploadRealmLogo = command('POST /realm/logo', {
  summary: "Upload the organization's logo for light or dark themes",
  access: requireAdministrator,
  params: { night: boolean(), files: files({ max: organizationPictureLimits.logoMib * 2 ** 20 }) },
  returns: {},
  async handle(context) {
    const { night, files } = context.params
    const sent = onePicture(files, 'You must upload exactly one logo.')
    await uploadRealmPicture(context, night ? 'night_logo' : 'logo', sent)
    return {}
  },
})
