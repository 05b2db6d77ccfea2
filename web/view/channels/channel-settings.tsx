import './settings.css'
import { createSignal, createUniqueId, For, type JSX, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { channelOf } from '../../store/channels.ts'
import type { Channel } from '../../store/server-state-types.ts'
import { Dialog } from '../parts/dialog.tsx'
import { General } from './general.tsx'
import { Permissions } from './permissions.tsx'
import { Personal } from './personal.tsx'
import { Subscribers } from './subscribers.tsx'

const tabs = ['personal', 'general', 'permissions', 'subscribers'] as const
export type SettingsTab = (typeof tabs)[number]

/** All that can be set of a channel. Each setting is saved by itself. */
export function ChannelSettings(props: { channelId: number; tab?: SettingsTab; close(): void }) {
  const title = () => t('channel.settings_of', { name: channelOf(props.channelId)?.name ?? '?' })
  return (
    <Dialog title={title()} close={props.close} class="channel-panel">
      <Show when={channelOf(props.channelId)} fallback={<p>{t('refused.unknown')}</p>}>
        {(channel) => (
          <Tabs first={props.tab ?? 'personal'}>
            {(tab) => <Content tab={tab} channel={channel()} close={props.close} />}
          </Tabs>
        )}
      </Show>
    </Dialog>
  )
}

function Content(props: { tab: SettingsTab; channel: Channel; close(): void }) {
  switch (props.tab) {
    case 'general':
      return <General channel={props.channel} close={props.close} />
    case 'permissions':
      return <Permissions channel={props.channel} />
    case 'subscribers':
      return <Subscribers channel={props.channel} />
    default:
      return <Personal channel={props.channel} />
  }
}

/** Tabs with the keys of the pattern: arrows go round, Home and End. */
function Tabs(props: { first: SettingsTab; children(tab: SettingsTab): JSX.Element }) {
  const id = createUniqueId()
  const [tab, setTab] = createSignal(props.first)
  let list!: HTMLDivElement
  function onKeyDown(event: KeyboardEvent) {
    const at = tabs.indexOf(tab())
    const isRightToLeft = document.documentElement.dir === 'rtl'
    const forward = isRightToLeft ? 'ArrowLeft' : 'ArrowRight'
    const backward = isRightToLeft ? 'ArrowRight' : 'ArrowLeft'
    const to = { [forward]: at + 1, [backward]: at - 1, Home: 0, End: tabs.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    const next = (to + tabs.length) % tabs.length
    setTab(tabs[next] ?? 'personal')
    ;(list.children[next] as HTMLElement).focus()
  }
  return (
    <>
      <div ref={list} class="tabs" role="tablist" onKeyDown={onKeyDown}>
        <For each={tabs}>
          {(one) => (
            <button
              type="button"
              role="tab"
              id={`${id}-${one}`}
              aria-selected={tab() === one}
              aria-controls={`${id}-panel`}
              tabindex={tab() === one ? 0 : -1}
              onClick={() => setTab(one)}
            >
              {t(`settings.${one}`)}
            </button>
          )}
        </For>
      </div>
      <div id={`${id}-panel`} class="tab-panel" role="tabpanel" aria-labelledby={`${id}-${tab()}`}>
        <Show when={tab()} keyed>
          {(one) => props.children(one)}
        </Show>
      </div>
    </>
  )
}
