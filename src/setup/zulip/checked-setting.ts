import type { Param } from '../../http/params.ts'
import { unlessRefused } from './valid.ts'

/** The values of the API for the numbers in the columns of settings. */
const wordsOf: Record<string, Record<number, string | number>> = {
  resolved_topic_notice_auto_read_policy: { 1: 'always', 2: 'except_followed', 3: 'never' },
  message_edit_history_visibility_policy: { 1: 'all', 2: 'moves', 3: 'none' },
  topics_policy: { 2: 'allow_empty_topic', 3: 'disable_empty_topic' },
  // Zoom has two numbers, by how a server signs in there; and there were two types of organizations.
  video_chat_provider: { 5: 3 },
  org_type: { 1: 10, 2: 90 },
}

/** Returns a value as the API would store it; undefined if it would refuse it. */
export function checkedSetting(params: object, name: string, value: unknown): unknown {
  const param = (params as Record<string, Param<unknown> | undefined>)[name]
  const word = typeof value === 'number' ? (wordsOf[name]?.[value] ?? value) : value
  const isText = typeof word === 'string' && !(param?.isJson && name === 'jitsi_server_url')
  const sent = isText ? word : JSON.stringify(word)
  return unlessRefused(() => param?.read(name, () => sent))
}
