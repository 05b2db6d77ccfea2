import { anyone } from '../../http/access.ts'
import { FileAnswer } from '../../http/answers.ts'
import { query } from '../../http/endpoint.ts'
import { pathRest } from '../../http/params.ts'
import { ApiError } from '../../lib/api-error.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { picturePath } from './store.ts'

export const getPicture = query('GET /user_avatars/{path}', {
  summary: 'Download an avatar, organization image or emoji image',
  root: true,
  // Browsers show pictures without login. Their names cannot be guessed, and they are no secrets.
  access: anyone,
  params: { path: pathRest() },
  returns: {},
  async handle({ realm, params, outside }) {
    const { name, contentType } = parse(realm, params.path)
    return new FileAnswer((range) => outside.files.open(picturePath(realm.id, name), range), {
      contentType,
      disposition: 'inline',
      etag: name,
      // What a name once meant, it means for ever.
      cacheControl: 'public, max-age=31536000, immutable',
    })
  },
})

const contentTypes: Record<string, string> = { png: 'image/png', gif: 'image/gif', webp: 'image/webp' }

/** Whatever else a path may lead to, it is not a picture of this organization. */
function parse(realm: RealmState, path: string) {
  const form = /^(\d+)\/((?:emoji\/images\/(?:still\/)?|realm\/)?[0-9a-f]+(?:-medium)?\.(\w+))$/
  const [, realmId, name = '', suffix = ''] = form.exec(path) ?? []
  const contentType = contentTypes[suffix]
  if (Number(realmId) !== realm.id || contentType === undefined) {
    throw new ApiError('File not found', 'NOT_FOUND', 404)
  }
  return { name, contentType }
}
