import { lazy, Show } from 'solid-js'
import { asked, setAsked } from '../emoji/open-picker.ts'
import { Dialogs } from '../parts/dialog.tsx'
import { Menus } from '../parts/menu.tsx'
import { Notices } from '../parts/notices.tsx'

const EmojiPicker = lazy(() =>
  import('../emoji/picker.tsx').then((module) => ({ default: module.EmojiPicker })),
)

/** What lies over the page: dialogs, menus, the picker of emoji, notices. */
export function Overlays() {
  return (
    <>
      <Dialogs />
      <Menus />
      <Show when={asked()} keyed>
        {(one) => (
          <EmojiPicker
            anchor={one.anchor}
            choose={one.choose}
            close={() => {
              if (asked() === one) setAsked(undefined)
            }}
          />
        )}
      </Show>
      <Notices />
    </>
  )
}
