import './settings.css'
import { createEffect, createSignal, createUniqueId, For, type JSX, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { channelOf } from '../../store/channels.ts'
import type { Channel } from '../../store/server-state-types.ts'
import { channelInText } from '../parts/channel-in-text.ts'
import { Dialog } from '../parts/dialog-panel.tsx'
import { Known } from '../parts/known.tsx'
import { General } from './general.tsx'
import { Permissions } from './permissions.tsx'
import { Personal } from './personal.tsx'
import { type SettingsTab, tabs } from './settings-path.ts'
import { Subscribers } from './subscribers.tsx'

/** All that can be set of a channel. Each setting is saved by itself; the user is asked before unsaved changes are lost. */
export function ChannelSettings(props: { channelId: number; tab?: SettingsTab; close(): void }) {
  const title = () => t('channel.settings_of', { name: channelInText(props.channelId) })
  return (
    <Dialog title={title()} close={props.close} class="channel-panel">
      <div>
        <Known thing={channelOf(props.channelId)} fallback={<p>{t('refused.unknown')}</p>}>
          {(channel) => (
            <Tabs first={props.tab ?? 'personal'}>
              {(tab) => <Content tab={tab} channel={channel()} close={props.close} />}
            </Tabs>
          )}
        </Known>
      </div>
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

/**
 * Tabs with the keys of the pattern: arrows go round, Home and End. A panel is made when it is first shown, and stays with
 * what the user has typed in it.
 */
function Tabs(props: { first: SettingsTab; children(tab: SettingsTab): JSX.Element }) {
  const id = createUniqueId()
  const [tab, setTab] = createSignal(props.first)
  const [visited, setVisited] = createSignal<ReadonlySet<SettingsTab>>(new Set([props.first]))
  const show = (next: SettingsTab) => {
    setTab(next)
    setVisited((all) => new Set([...all, next]))
  }
  return (
    <>
      <TabList id={id} tab={tab()} show={show} />
      <For each={tabs}>
        {(one) => (
          <div
            id={`${id}-panel-${one}`}
            role="tabpanel"
            aria-labelledby={`${id}-${one}`}
            hidden={tab() !== one}
          >
            <Show when={visited().has(one)}>{props.children(one)}</Show>
          </div>
        )}
      </For>
    </>
  )
}

function TabList(props: { id: string; tab: SettingsTab; show(tab: SettingsTab): void }) {
  let list!: HTMLDivElement
  // On a phone, not all of them fit. The dialog opens after it is made.
  const reveal = (at: number) => list.children[at]?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  createEffect(() => {
    const at = tabs.indexOf(props.tab)
    requestAnimationFrame(() => reveal(at))
  })
  function onKeyDown(event: KeyboardEvent) {
    const at = tabs.indexOf(props.tab)
    const isRightToLeft = document.documentElement.dir === 'rtl'
    const forward = isRightToLeft ? 'ArrowLeft' : 'ArrowRight'
    const backward = isRightToLeft ? 'ArrowRight' : 'ArrowLeft'
    const to = { [forward]: at + 1, [backward]: at - 1, Home: 0, End: tabs.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    const next = (to + tabs.length) % tabs.length
    props.show(tabs[next] ?? 'personal')
    ;(list.children[next] as HTMLElement).focus()
  }
  return (
    <div ref={list} class="tabs" role="tablist" onKeyDown={onKeyDown}>
      <For each={tabs}>
        {(one) => (
          <button
            type="button"
            role="tab"
            id={`${props.id}-${one}`}
            aria-selected={props.tab === one}
            aria-controls={`${props.id}-panel-${one}`}
            tabindex={props.tab === one ? 0 : -1}
            onClick={() => props.show(one)}
          >
            {t(`settings.${one}`)}
          </button>
        )}
      </For>
    </div>
  )
}
