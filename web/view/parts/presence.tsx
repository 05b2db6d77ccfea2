import { t } from '../../lib/i18n.ts'
import { availabilityOf } from '../../store/people.ts'
import { now } from './clock.ts'

export function Presence(props: { userId: number }) {
  const availability = () => availabilityOf(props.userId, now())
  return <span class={`presence ${availability()}`} title={t(`presence.${availability()}`)} />
}
