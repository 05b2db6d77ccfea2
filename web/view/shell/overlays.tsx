import { Show } from 'solid-js'
import { Portal } from 'solid-js/web'
import { asked, setAsked } from '../emoji/open-picker.ts'
import { Dialogs, topDialog } from '../parts/dialog.tsx'
import { lazyPart, lazyPartWithTexts } from '../parts/lazy-part.tsx'
import { Menus } from '../parts/menu.tsx'
import { Notices, noticePlace } from '../parts/notices.tsx'
import { card, setCard } from '../people/open-card.ts'
import { isCovered, SignedOut } from './signed-out.tsx'

const EmojiPicker = lazyPartWithTexts(
  () => import('../emoji/picker.tsx'),
  'EmojiPicker',
  () => setAsked(undefined),
)
const UserCard = lazyPart(
  () => import('../people/user-card.tsx'),
  'UserCard',
  () => setCard(undefined),
)

/** A popover that a modal dialog opens must be within it, as everything outside is inert. */
function layerOf(anchor: Element): Element {
  return anchor.closest('dialog') ?? document.body
}

/** Everything that covers the page: dialogs, menus, the emoji picker, notices. */
export function Overlays() {
  return (
    <>
      <Dialogs />
      <Menus />
      <Show when={asked()} keyed>
        {(one) => (
          <Portal mount={layerOf(one.anchor)}>
            <EmojiPicker
              anchor={one.anchor}
              choose={one.choose}
              close={() => {
                if (asked() === one) setAsked(undefined)
              }}
            />
          </Portal>
        )}
      </Show>
      <Show when={card()} keyed>
        {(one) => (
          <Portal mount={layerOf(one.anchor)}>
            <UserCard
              anchor={one.anchor}
              userId={one.userId}
              close={() => {
                if (card() === one) setCard(undefined)
              }}
            />
          </Portal>
        )}
      </Show>
      {/* Outside of a modal dialog, nobody could read or press them. */}
      <Portal mount={topDialog() ?? noticePlace() ?? document.body}>
        <Notices />
      </Portal>
      <Show when={isCovered()}>
        <SignedOut />
      </Show>
    </>
  )
}
