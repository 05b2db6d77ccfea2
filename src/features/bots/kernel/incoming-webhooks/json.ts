import { limits } from '../../../../lib/limits.ts'
import { fenced } from '../../../../markdown/fences.ts'
import type { Integration } from './integration.ts'

/**
 * For scripts, and for services that nothing here knows: `{"text": "…", "topic": "…"}` is posted as it stands, in
 * Markdown; anything else is shown as the JSON that it is.
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

/** In lines; but what is cut anyway is left as it is, since deep inside, each line would begin with very many spaces. */
function shown(value: unknown): string {
  const plain = JSON.stringify(value)
  return plain.length > limits.messageLength ? plain : JSON.stringify(value, null, 2)
}
