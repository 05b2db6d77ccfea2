import { getChannelTopics } from './get-channel-topics.ts'
import { muteTopic } from './mute-topic.ts'
import { mutedTopicsEvent } from './muted_topics.event.ts'
import { setUserTopic } from './set-user-topic.ts'
import { userTopicEvent } from './user_topic.event.ts'

/** The operations of this capability. */
export const endpoints = [getChannelTopics, muteTopic, setUserTopic]

/** Its types of events. */
export const eventTypes = [mutedTopicsEvent, userTopicEvent]
