import { createEffect, on } from 'solid-js'
import { t } from '../../../lib/i18n.ts'
import { Icon } from '../../parts/icon.tsx'
import { noticeFailure } from '../../parts/notices.tsx'

type Props = {
  name: string
  id: number
  ids: number[]
  reason?: string | undefined
  move(ids: number[]): Promise<unknown>
}

/** Buttons that move a thing of an ordered list up and down, a step at a time; `move` gets the ids in their new order. */
export function OrderButtons(props: Props) {
  const at = () => props.ids.indexOf(props.id)
  const buttons: Partial<Record<Direction, HTMLButtonElement>> = {}
  const press = createMoves(props, at, buttons)
  return (
    <>
      <OrderButton
        direction="up"
        label={t('org.move_up', { name: props.name })}
        isDisabled={props.reason !== undefined || at() <= 0}
        press={press}
        ref={(element) => {
          buttons.up = element
        }}
      />
      <OrderButton
        direction="down"
        label={t('org.move_down', { name: props.name })}
        isDisabled={props.reason !== undefined || at() === props.ids.length - 1}
        press={press}
        ref={(element) => {
          buttons.down = element
        }}
      />
    </>
  )
}

/** Returns what moves the thing, once at a time, and keeps the focus on its buttons. */
function createMoves(props: Props, at: () => number, buttons: Partial<Record<Direction, HTMLButtonElement>>) {
  let pressed: Direction | undefined
  let isMoving = false
  // A row that has moved in the page has lost the focus. At an end of the list, only the other button can have it.
  createEffect(
    on(at, () => {
      const direction = pressed
      pressed = undefined
      if (direction === undefined) return
      const other = direction === 'up' ? 'down' : 'up'
      queueMicrotask(() => buttons[buttons[direction]?.disabled ? other : direction]?.focus())
    }),
  )
  const move = async (direction: Direction) => {
    isMoving = true
    pressed = direction
    const others = props.ids.filter((id) => id !== props.id)
    const index = at() + steps[direction]
    try {
      await props.move([...others.slice(0, index), props.id, ...others.slice(index)])
    } catch (failure) {
      // The row is where it was, unless another user moves it.
      pressed = undefined
      noticeFailure(failure)
    } finally {
      isMoving = false
    }
  }
  return (direction: Direction) => {
    if (!isMoving) void move(direction)
  }
}

function OrderButton(props: {
  direction: Direction
  label: string
  isDisabled: boolean
  press(direction: Direction): void
  ref(element: HTMLButtonElement): void
}) {
  return (
    <button
      type="button"
      ref={props.ref}
      class={`icon-button ${props.direction}`}
      aria-label={props.label}
      disabled={props.isDisabled}
      onClick={() => props.press(props.direction)}
    >
      <Icon name="down" />
    </button>
  )
}

type Direction = keyof typeof steps

const steps = { up: -1, down: 1 }
