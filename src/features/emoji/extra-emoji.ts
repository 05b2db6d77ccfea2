import type { Document } from '../../http/document.ts'
import { emblem } from '../pictures/emblem.ts'
import { pictureLibrary } from '../pictures/library.ts'

/** The one emoji that is neither of Unicode nor of the organization. */
export const extraEmojiName = 'zulip'

/** Where its picture is. Clients know the address by heart, so it is this one. */
export const extraEmojiPath = '/static/generated/emoji/images/emoji/unicode/zulip.png'

let picture: Promise<Buffer> | undefined

export const extraEmojiPicture: Document = {
  path: extraEmojiPath,
  contentType: 'image/png',
  maxAge: 86_400,
  body() {
    picture ??= draw()
    return picture
  },
}

async function draw() {
  const sharp = await pictureLibrary()
  return sharp(Buffer.from(emblem)).resize(64, 64).png().toBuffer()
}
