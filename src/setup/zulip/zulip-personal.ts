import { navigationLimits } from '../../features/clients/kernel/navigation/limits.ts'
import { checkName } from '../../features/clients/kernel/navigation/navigation.ts'
import { isStep } from '../../features/clients/kernel/onboarding/steps.ts'
import { withinLength } from '../../features/kernel/messages/message-text.ts'
import { visibility } from '../../features/kernel/topics/visibility.ts'
import { snippetLimits } from '../../features/messages/snippets/limits.ts'
import { distinctWords } from '../../features/people/alert-words/alert-words.ts'
import { alertWordLimits } from '../../features/people/alert-words/limits.ts'
import { statusLimits } from '../../features/people/status/limits.ts'
import { chunksOf } from '../../lib/collections/chunks-of.ts'
import { groupBy } from '../../lib/collections/group-by.ts'
import { jsonIn } from '../../lib/json.ts'
import { lower } from '../../lib/text/lower.ts'
import { topicFrom } from '../names.ts'
import type { ImportContext } from './import-context.ts'
import { zulipLimits } from './limits.ts'
import { unlessRefused } from './valid.ts'
import type { ZulipPeople } from './zulip-people.ts'
import { isKnownEmoji } from './zulip-reactions.ts'

type Context = Pick<ImportContext, 'change' | 'source' | 'people'>

/** Adds what people have chosen for themselves. */
export async function addPersonalThings(context: Context) {
  await addTopicPolicies(context)
  await addMutedUsers(context)
  await addAlertWords(context)
  await addStatuses(context)
  await addPresence(context)
  await addOnboarding(context)
  await addSnippets(context)
  await addNavigationViews(context)
}

/** Adds the views that people have pinned or hidden in their sidebars. */
async function addNavigationViews({ change, source, people }: Context) {
  const rows = new Map<string, object>()
  for (const { user, fragment: given, is_pinned, name: wanted } of source.rows('zerver_navigationview')) {
    const [fragment, name] = [given.trim(), wanted || null]
    const isShort =
      fragment.length <= navigationLimits.navigationFragmentLength &&
      (name ?? '').length <= navigationLimits.navigationNameLength
    const isValid = fragment !== '' && isShort && unlessRefused(() => checkName(fragment, name) ?? true)
    if (!isValid) source.leftOut.add('ownTexts')
    else if (people.user(user)) rows.set(`${user} ${fragment}`, { user_id: user, fragment, is_pinned, name })
  }
  await change.insertAll('navigation_view', [...rows.values()])
}

const policies: readonly number[] = [visibility.muted, visibility.unmuted, visibility.followed]

async function addTopicPolicies({ change, source, people }: Context) {
  const muted = source.rows('zerver_mutedtopic').map(({ date_muted, ...row }) => {
    return { ...row, visibility_policy: visibility.muted as number, last_updated: date_muted }
  })
  const rows = new Map<string, object>()
  for (const row of [...muted, ...source.rows('zerver_usertopic')]) {
    const topic = topicFrom(row.topic_name)
    const user = people.user(row.user_profile)
    if (!change.state.channels.get(row.stream) || !policies.includes(row.visibility_policy)) {
      source.leftOut.add('lostReferences')
    } else if (user) {
      rows.set(`${user.id} ${row.stream} ${lower(topic)}`, {
        user_id: user.id,
        channel_id: row.stream,
        topic,
        visibility_policy: row.visibility_policy,
        updated_at: row.last_updated ?? change.now,
      })
    }
  }
  for (const part of chunksOf([...rows.values()], zulipLimits.rowsPerStatement)) {
    await change.insertAll('user_topic', part)
  }
}

async function addMutedUsers({ change, source, people }: Context) {
  const rows = new Map<string, object>()
  for (const { user_profile, muted_user, date_muted } of source.rows('zerver_muteduser')) {
    const [user, muted] = [people.user(user_profile), people.user(muted_user)]
    if (!user || !muted || user === muted) continue
    const created_at = date_muted ?? change.now
    rows.set(`${user.id} ${muted.id}`, { user_id: user.id, muted_user_id: muted.id, created_at })
  }
  await change.insertAll('muted_user', [...rows.values()])
}

async function addAlertWords({ change, source, people }: Context) {
  const given = [...oldAlertWords(people), ...source.rows('zerver_alertword')]
  const byUser = groupBy(given, ({ user_profile }) => user_profile)
  const rows = [...byUser].flatMap(([id, own]) => {
    const words = own.map(({ word }) => word).filter((word) => word.length <= alertWordLimits.alertWordLength)
    const distinct = [...distinctWords(words).values()].slice(0, alertWordLimits.alertWordsPerUser)
    return people.user(id) && distinct.length > 0 ? [{ user_id: id, words: distinct }] : []
  })
  await change.insertAll('alert_words', rows)
}

/** Returns the alert words of versions in which they were a column, as JSON. */
function oldAlertWords(people: ZulipPeople): { user_profile: number; word: string }[] {
  return [...people.users.values()].flatMap(({ id, alert_words }) => {
    const words = typeof alert_words === 'string' ? jsonIn(alert_words) : undefined
    const valid = Array.isArray(words) ? words.filter((word) => typeof word === 'string') : []
    return valid.map((word) => ({ user_profile: id, word: word.replaceAll('\0', '').toWellFormed() }))
  })
}

async function addStatuses({ change, source, people }: Context) {
  const rows = new Map<number, object>()
  for (const { user_profile, status_text: text, ...emoji } of source.rows('zerver_userstatus')) {
    const hasEmoji = emoji.emoji_name !== '' && isKnownEmoji(change.state, emoji)
    if (emoji.emoji_name !== '' && !hasEmoji) source.leftOut.add('reactions')
    const status_text = [...text.trim()].slice(0, statusLimits.statusTextLength).join('')
    if (!people.user(user_profile) || (status_text === '' && !hasEmoji)) continue
    const none = { emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji' }
    rows.set(user_profile, { user_id: user_profile, status_text, ...(hasEmoji ? emoji : none) })
  }
  await change.insertAll('user_status', [...rows.values()])
}

async function addPresence({ change, source, people }: Context) {
  const rows = new Map<number, object>()
  for (const { user_profile, last_active_time, last_connected_time } of source.rows('zerver_userpresence')) {
    const connected_at = last_connected_time ?? last_active_time
    if (connected_at === null || !people.user(user_profile)) continue
    rows.set(user_profile, { user_id: user_profile, active_at: last_active_time, connected_at })
  }
  await change.insertAll('presence', [...rows.values()])
}

async function addOnboarding({ change, source, people }: Context) {
  const byUser = groupBy(source.rows('zerver_onboardingstep'), ({ user }) => user)
  const rows = [...byUser].flatMap(([id, own]) => {
    const seen = [...new Set(own.map((row) => row.onboarding_step).filter(isStep))]
    return people.user(id) && seen.length > 0 ? [{ user_id: id, seen }] : []
  })
  await change.insertAll('onboarding', rows)
}

async function addSnippets({ change, source, people }: Context) {
  const byUser = groupBy(source.rows('zerver_savedsnippet'), ({ user_profile }) => user_profile)
  for (const [id, own] of byUser) {
    if (!people.user(id)) continue
    const kept = own.filter(({ title, content }) => title.trim() !== '' && content.trim() !== '')
    const rows = kept.slice(0, snippetLimits.savedSnippetsPerUser).map((row) => ({
      user_id: id,
      title: [...row.title.trim()].slice(0, snippetLimits.savedSnippetTitleLength).join(''),
      content: withinLength(row.content.trimEnd()),
      created_at: row.date_created ?? change.now,
    }))
    source.leftOut.add('ownTexts', own.length - rows.length)
    await change.insertAll('saved_snippet', rows)
  }
}
