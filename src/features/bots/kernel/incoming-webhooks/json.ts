import { fenced } from '../../../../markdown/blocks/fences.ts'
import { messageLimits } from '../../../kernel/messages/limits.ts'
import type { Integration } from './integration.ts'

/**
 * For scripts and unsupported services. Posts `{"text": "…", "topic": "…"}` as it is, in Markdown. Shows anything else
 * as JSON.
 */
export const parsePayload: Integration = {
  name: 'json',
  displayName: 'JSON',
  client: 'ZulipJSONWebhook',
  eventTypes: null,
  configOptions: [],
  urlOptions: [],
  read({ payload }) {
    const text = payload.maybe('text') ?? payload.maybe('content')
    return {
      event: null,
      topic: payload.maybe('topic') ?? 'JSON',
      content: text ?? fenced('json', shown(payload.value)),
    }
  },
}

/**
 * Formats JSON in lines. Text that will be truncated anyway is not formatted, because deeply nested lines would begin
 * with very many spaces.
 */
function shown(value: unknown): string {
  const plain = JSON.stringify(value)
  return plain.length > messageLimits.messageLength ? plain : JSON.stringify(value, null, 2)
}
