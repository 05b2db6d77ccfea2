import { type JSX, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import type { Route } from '../../lib/route.ts'
import { linkTo, route } from '../../lib/router.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { closeDrawer } from './drawer.tsx'

/** A link of the rail, with how many messages are unread there. */
export function RailItem(props: {
  route: Route
  icon?: IconName
  name: string
  count?: number
  /** The name of the counted things, if they are not unread messages. */
  countText?: string
  isQuiet?: boolean
  /** Whether the unread messages are there to be read, but none calls for the user. */
  isCalm?: boolean
  isQuietCount?: boolean
  children?: JSX.Element
}) {
  const target = () => linkTo(props.route)
  // A link to a message leads to the same view.
  const isHere = () => linkTo({ ...route(), near: undefined } as Route) === target()
  return (
    <li>
      <a
        class="rail-item"
        classList={{
          muted: props.isQuiet ?? false,
          unread: Boolean(props.count) && props.countText === undefined,
        }}
        href={target()}
        aria-current={isHere() ? 'page' : undefined}
        // The link of the open view changes nothing that would close it.
        onClick={closeDrawer}
      >
        {props.children}
        <Show when={props.icon}>{(icon) => <Icon name={icon()} />}</Show>
        <span class="rail-text" dir="auto">
          {props.name}
        </span>
        <Count
          value={props.count ?? 0}
          text={props.countText ?? t('count.unread', { count: props.count ?? 0 })}
          isQuiet={props.isQuiet ?? props.isQuietCount ?? false}
          isCalm={props.isCalm ?? false}
        />
      </a>
    </li>
  )
}

/** A button of the rail that begins something. */
export function RailButton(props: { name: string; run(): void }) {
  // The drawer closes first, as it gives the focus back, which the box then takes.
  const press = () => {
    closeDrawer()
    props.run()
  }
  return (
    <li>
      <button type="button" class="rail-item" onClick={press}>
        <Icon name="plus" />
        <span class="rail-text">{props.name}</span>
      </button>
    </li>
  )
}

function Count(props: { value: number; text: string; isQuiet: boolean; isCalm: boolean }) {
  return (
    <Show when={props.value > 0}>
      <span class="count" classList={{ quiet: props.isQuiet, calm: props.isCalm }}>
        <span aria-hidden="true">{props.value > 999 ? '999+' : props.value}</span>
        <span class="visually-hidden">{props.text}</span>
      </span>
    </Show>
  )
}
