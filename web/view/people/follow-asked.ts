import { createEffect, createRoot } from 'solid-js'
import { askedUser } from '../../lib/router.ts'
import { isReady } from '../../store/session.ts'
import { isSpectator } from '../../store/spectator.ts'
import { openCard } from './open-card.ts'

/** Opens the card of the user whose address is opened, as that of `#user/5`. */
export function followAskedUser() {
  createRoot(() => {
    createEffect(() => {
      const userId = askedUser()
      // Below the title, unless the view is still loading.
      const anchor = document.querySelector('#main h1') ?? document.getElementById('main')
      if (userId && anchor && isReady() && !isSpectator()) openCard(anchor, userId)
    })
  })
}
