import { t } from '../../lib/i18n.ts'
import { availabilityOf, avatarOf, nameOf } from '../../store/people.ts'
import { now } from '../parts/clock.ts'

/** A person with picture and presence. A click opens their card, as with every name in the page. */
export function PersonButton(props: { id: number }) {
  const availability = () => availabilityOf(props.id, now())
  return (
    <button type="button" class="person" data-user-id={props.id}>
      <img class="avatar" style={{ '--avatar-size': '26px' }} src={avatarOf(props.id)} alt="" />
      <span dir="auto">{nameOf(props.id)}</span>
      <span class={`presence ${availability()}`} role="img" aria-label={t(`presence.${availability()}`)} />
    </button>
  )
}
