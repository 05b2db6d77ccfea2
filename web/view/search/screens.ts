import type { Candidate } from '../../lib/candidates.ts'
import { plain } from '../../lib/fuzzy.ts'
import { t } from '../../lib/i18n.ts'
import { mayCreateAny } from '../../store/channel-rights.ts'
import { allSettings, bestSettings } from '../settings/finder.ts'
import type { SearchPlace } from './places.ts'

type Screen = SearchPlace & { kind: 'screen' }

/** How many screens are offered beside channels, topics and people. */
const most = 4

/** Returns what finds views and settings by their names. */
export async function loadScreens(): Promise<(typed: string) => Screen[]> {
  const views: Candidate<Screen>[] = [
    screen('inbox', t('view.inbox')),
    screen('recent', t('view.recent')),
    screen('feed', t('view.feed')),
    screen('drafts', t('view.drafts')),
    screen('channels', t('view.channels')),
    ...(mayCreateAny() ? [screen('channels/new', t('channel.new'))] : []),
  ]
  const settings = (await allSettings()).map(({ value, texts }) => ({
    value: { kind: 'screen' as const, ...value },
    texts,
  }))
  const all = [...views, ...settings]
  return (typed) => bestSettings(all, typed, most)
}

function screen(address: string, name: string): Candidate<Screen> {
  return { value: { kind: 'screen', address, name }, texts: [plain(name)] }
}
