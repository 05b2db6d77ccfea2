import type { TextKey } from '../lib/i18n.ts'
import type { Term } from '../lib/route.ts'
import { channelOf } from './channels.ts'
import { users } from './people.ts'
import { isReady } from './session.ts'

/** Returns the text that says what this user cannot see of what a narrow asks for: a channel or a user. */
export function missingFrom(terms: Term[]): TextKey | undefined {
  const named = (...operators: string[]) =>
    terms
      .flatMap(({ operator, operand }) => (operators.includes(operator) && isReady() ? operand : []))
      .filter((id) => typeof id === 'number')
  if (named('channel').some((id) => !channelOf(id))) return 'refused.unknown'
  return named('dm', 'sender').some((id) => !users().has(id)) ? 'card.unknown' : undefined
}
