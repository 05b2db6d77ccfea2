import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { pathInteger, pathRest } from '../../../http/params.ts'
import { FileAnswer } from '../../../http/responses/answer-kinds.ts'
import { lastIn } from '../../../lib/must.ts'
import { spectatorOf } from '../../kernel/channels/web-public.ts'
import { noSuchFile, uploadToSee } from '../kernel/uploads/access.ts'
import { formatsOf, thumbnailFormats } from '../kernel/uploads/thumbnails.ts'
import { thumbnailPath } from './paths.ts'

export const getThumbnail = query('GET /user_uploads/thumbnail/{realm_id}/{path}', {
  summary: 'Download a thumbnail of an uploaded image',
  since: 273,
  root: true,
  unlimited: true,
  access: requireUser,
  spectator: spectatorOf,
  params: { realm_id: pathInteger(), path: pathRest() },
  returns: {},
  async handle({ realm, me, params, read, adapters }) {
    const { rest, asked } = parse(params.path)
    const row = await uploadToSee(realm, me, read, params.realm_id, rest)
    // A still picture has only a still thumbnail.
    const format = formatsOf(row).includes(asked) ? asked : lastIn(formatsOf(row))
    if (row.thumbnail !== 'made') throw noSuchFile()
    return new FileAnswer((range) => adapters.files.open(thumbnailPath(row.path, format.name), range), {
      contentType: `image/${format.format}`,
      disposition: 'inline',
      etag: `${row.id}-${format.name}`,
      cacheControl: 'private, max-age=86400, immutable',
    })
  },
})

/** Splits a path into the path of the upload and the format at its end. */
function parse(path: string) {
  const end = path.lastIndexOf('/')
  const asked = thumbnailFormats.find((format) => format.name === path.slice(end + 1))
  if (end < 0 || !asked) throw noSuchFile()
  return { rest: path.slice(0, end), asked }
}
