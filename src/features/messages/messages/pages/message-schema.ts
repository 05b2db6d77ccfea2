import { z } from 'zod'
import { wireEmojiKinds } from '../../../organization/emoji/find-emoji.ts'

const personSchema = z.object({
  id: z.int(),
  email: z.string(),
  full_name: z.string(),
  is_mirror_dummy: z.boolean(),
})

const reactionSchema = z.looseObject({
  emoji_name: z.string(),
  emoji_code: z.string(),
  reaction_type: z.enum(wireEmojiKinds),
  user_id: z.int(),
})

const submessageSchema = z.looseObject({
  id: z.int(),
  message_id: z.int(),
  sender_id: z.int(),
  msg_type: z.string(),
  content: z.string(),
})

/** One change of a message. Only fields that it changed have a `prev_…` field. */
const editSchema = z.looseObject({
  timestamp: z.int(),
  user_id: z.int().nullable(),
  prev_content: z.string().optional(),
  prev_rendered_content: z.string().optional(),
  prev_stream: z.int().optional(),
  prev_topic: z.string().optional(),
  stream: z.int().optional(),
  topic: z.string().optional(),
})

/**
 * The message object of responses. Fields are optional if only messages in channels, changed messages or search results
 * have them.
 */
export const messageSchema = z.looseObject({
  id: z.int(),
  type: z.enum(['stream', 'private']),
  timestamp: z.int(),
  sender_id: z.int(),
  sender_full_name: z.string(),
  sender_email: z.string(),
  sender_realm_str: z.string(),
  avatar_url: z.string().nullable(),
  client: z.string(),
  content: z.string(),
  content_type: z.enum(['text/html', 'text/x-markdown']),
  /** The channel's name, or the participants of a direct conversation. */
  display_recipient: z.union([z.string(), z.array(personSchema)]),
  recipient_id: z.int(),
  stream_id: z.int().optional(),
  subject: z.string(),
  topic_links: z.array(z.object({ text: z.string(), url: z.string() })),
  is_me_message: z.boolean(),
  reactions: z.array(reactionSchema),
  submessages: z.array(submessageSchema),
  flags: z.array(z.string()),
  match_content: z.string().optional(),
  match_subject: z.string().optional(),
  last_edit_timestamp: z.int().optional(),
  last_moved_timestamp: z.int().optional(), // level 365
  edit_history: z.array(editSchema).optional(),
})
