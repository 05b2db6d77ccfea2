import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { customEmojiOf, customEmojiSchema } from '../../kernel/emoji/custom-emoji.ts'

export const getCustomEmoji = query('GET /realm/emoji', {
  summary: "List the organization's custom emoji, deactivated ones included",
  access: requireUser,
  params: {},
  returns: { emoji: z.record(z.string(), customEmojiSchema) },
  async handle({ realm }) {
    return { emoji: customEmojiOf(realm) }
  },
})
