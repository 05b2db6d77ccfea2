import { prepareRecent } from '../../../kernel/flags/read-recent-messages.ts'
import { shownUnread, unreadMessages } from '../../../kernel/flags/unread-messages.ts'
import { newestNotInMemory, newestReceivedInMemory } from '../../../kernel/messages/newest-received.ts'
import { recentConversations } from '../../../messages/messages/recent-conversations.ts'
import { ownSection, type Section } from '../section.ts'

const maxMessageId: Section<number> = {
  asked: ['message'],
  select: newestNotInMemory,
  // Messages that arrived since the read may be counted already: their events then change nothing.
  fields: ({ realm, me }, newest = -1) => ({
    max_message_id: Math.max(newest, newestReceivedInMemory(realm, me).id),
  }),
}

const unread: Section = {
  ...ownSection(['message', 'update_message_flags'], unreadMessages, (unread, { capabilities }) => ({
    unread_msgs: shownUnread(unread, capabilities),
  })),
  prepare: ({ realm }, read) => prepareRecent(read, realm),
}

export const messageSections = [
  maxMessageId as Section,
  unread,
  ownSection(['recent_private_conversations'], recentConversations, (conversations = []) => ({
    recent_private_conversations: conversations,
  })),
]
