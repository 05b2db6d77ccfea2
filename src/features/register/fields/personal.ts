import { starredMessages } from '../../flags/starred.ts'
import { mutedTopics, userTopics } from '../../topics/visibility.ts'
import { ownSection, type Section } from '../section.ts'

export const personalSections: Section[] = [
  ownSection(['starred_messages'], starredMessages, (ids) => ({ starred_messages: ids })),
  ownSection(['user_topic'], userTopics, (topics) => ({ user_topics: topics })),
  {
    ...ownSection(['muted_topics'], mutedTopics, (topics) => ({ muted_topics: topics })),
    unlessAsked: 'user_topic', // its older form
  },
]
