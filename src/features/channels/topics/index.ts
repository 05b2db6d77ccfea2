import { mutedTopicsEvent } from '../../kernel/topics/muted_topics.event.ts'
import { userTopicEvent } from '../../kernel/topics/user_topic.event.ts'
import { getChannelTopics } from './get-channel-topics.ts'
import { muteTopic } from './mute-topic.ts'
import { setUserTopic } from './set-user-topic.ts'

export const endpoints = [getChannelTopics, muteTopic, setUserTopic]

export const eventTypes = [mutedTopicsEvent, userTopicEvent]
