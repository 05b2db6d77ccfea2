import { shownMutedTopics } from '../../../kernel/topics/muted_topics.event.ts'
import { shownUserTopic } from '../../../kernel/topics/user_topic.event.ts'
import { mutedTopics, userTopics } from '../../../kernel/topics/visibility.ts'
import { newestDrafts } from '../../../messages/drafts/drafts.ts'
import { starredMessages } from '../../../messages/flags/starred.ts'
import { scheduledBy } from '../../../messages/kernel/scheduled/scheduled.ts'
import { remindersOf } from '../../../messages/reminders/reminders.ts'
import { snippetsOf } from '../../../messages/snippets/snippets.ts'
import { hasToken } from '../../kernel/calls/zoom-tokens.ts'
import { navigationViewsOf } from '../../kernel/navigation/navigation.ts'
import { ownSection, type Section } from '../section.ts'

export const personalSections: Section[] = [
  ownSection(['starred_messages'], starredMessages, (ids) => ({ starred_messages: ids })),
  ownSection(['drafts'], newestDrafts, (drafts = []) => ({ drafts })),
  ownSection(['saved_snippets'], snippetsOf, (snippets) => ({ saved_snippets: snippets })),
  ownSection(['scheduled_messages'], scheduledBy, (messages) => ({ scheduled_messages: messages })),
  ownSection(['reminders'], remindersOf, (reminders) => ({ reminders })),
  ownSection(['navigation_views'], navigationViewsOf, (views) => ({ navigation_views: views })),
  ownSection(['video_calls'], hasToken, (has) => ({ has_zoom_token: has })),
  ownSection(['user_topic'], userTopics, (topics, { capabilities }) => ({
    user_topics: topics.map((one) => shownUserTopic(one, capabilities)),
  })),
  {
    ...ownSection(['muted_topics'], mutedTopics, (topics, { capabilities }) => ({
      muted_topics: shownMutedTopics(topics, capabilities),
    })),
    unlessAsked: 'user_topic', // its older form
  },
]
