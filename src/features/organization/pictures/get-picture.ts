import { Readable } from 'node:stream'
import type { ByteRange } from '../../../adapters/files/file-store.ts'
import { allowAnonymous } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { pathRest } from '../../../http/params.ts'
import { FileAnswer } from '../../../http/responses/answer-kinds.ts'
import { ApiError } from '../../../lib/api-error.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { picturePath } from '../kernel/pictures/store.ts'
import { drawPattern } from './drawn-avatar.ts'

export const getPicture = query('GET /user_avatars/{path}', {
  summary: 'Download an avatar, organization image or emoji image',
  root: true,
  // A list of people has hundreds of them, and many users share a network.
  unlimited: true,
  // Browsers show pictures without login. Their names cannot be guessed, and they are not secret.
  access: allowAnonymous,
  params: { path: pathRest() },
  returns: {},
  async handle({ realm, params, adapters }) {
    const { name, contentType, drawn } = parse(realm, params.path)
    const open = drawn
      ? openDrawn(realm, drawn)
      : (range?: ByteRange) => adapters.files.open(picturePath(realm.id, name), range)
    return new FileAnswer(open, {
      contentType,
      disposition: 'inline',
      etag: name,
      // A name always refers to the same content.
      cacheControl: 'public, max-age=31536000, immutable',
    })
  },
})

const contentTypes: Record<string, string> = { png: 'image/png', gif: 'image/gif', webp: 'image/webp' }

/** Accepts only paths of this organization's pictures. */
function parse(realm: RealmState, path: string) {
  const drawn = /^(\d+)\/(drawn\/([0-9a-z]{1,20})(-medium)?\.png)$/.exec(path)
  if (drawn && Number(drawn[1]) === realm.id) {
    const [, , name = '', seed = '', medium] = drawn
    return {
      name,
      contentType: 'image/png',
      drawn: { seed, size: medium ? 500 : 100 },
    }
  }
  const form = /^(\d+)\/((?:emoji\/images\/(?:still\/)?|realm\/)?[0-9a-f]+(?:-medium)?\.(\w+))$/
  const [, realmId, name = '', suffix = ''] = form.exec(path) ?? []
  const contentType = contentTypes[suffix]
  if (Number(realmId) !== realm.id || contentType === undefined) {
    throw new ApiError('File not found', 'NOT_FOUND', 404)
  }
  return { name, contentType, drawn: undefined }
}

function openDrawn(realm: RealmState, { seed, size }: { seed: string; size: number }) {
  const picture = drawPattern(`${realm.id}:${seed}`, size)
  return async (range?: ByteRange) => ({
    size: picture.length,
    content: Readable.from([range ? picture.subarray(range.start, range.end + 1) : picture]),
  })
}
