import { drawingAsPng } from '../pictures/drawing.ts'
import { emblem } from '../pictures/emblem.ts'

/** The only emoji that belongs neither to Unicode nor to the organization. */
export const extraEmojiName = 'zulip'

/** The path of its picture. Clients have this path built in. */
export const extraEmojiPath = '/static/generated/emoji/images/emoji/unicode/zulip.png'

export const extraEmojiPicture = drawingAsPng(extraEmojiPath, emblem, 64)
