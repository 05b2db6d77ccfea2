import { drawingAsPng } from '../pictures/drawing.ts'
import { emblem } from '../pictures/emblem.ts'

/** The one emoji that is neither of Unicode nor of the organization. */
export const extraEmojiName = 'zulip'

/** Where its picture is. Clients know the address by heart, so it is this one. */
export const extraEmojiPath = '/static/generated/emoji/images/emoji/unicode/zulip.png'

export const extraEmojiPicture = drawingAsPng(extraEmojiPath, emblem, 64)
