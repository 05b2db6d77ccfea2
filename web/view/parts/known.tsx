import { type Accessor, type JSX, Show } from 'solid-js'

/**
 * Shows a thing of the state while there is one. Events change things in place, which the accessor of Show does not notice; the accessor of
 * this one reads the thing each time.
 */
export function Known<T>(props: {
  thing: T | undefined
  fallback?: JSX.Element
  children(thing: Accessor<T>): JSX.Element
}) {
  return (
    <Show when={props.thing} fallback={props.fallback}>
      {(last) => props.children(() => props.thing ?? (last() as T))}
    </Show>
  )
}
