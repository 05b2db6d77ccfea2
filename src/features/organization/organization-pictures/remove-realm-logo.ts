import { requireAdministrator } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { boolean } from '../../../http/params.ts'
import { removeRealmPicture } from './realm-pictures.ts'

export const removeRealmLogo = command('DELETE /realm/logo', {
  summary: "Remove the organization's logo and restore the default",
  access: requireAdministrator,
  params: { night: boolean() },
  returns: {},
  async handle(context) {
    await removeRealmPicture(context, context.params.night ? 'night_logo' : 'logo')
    return {}
  },
})
