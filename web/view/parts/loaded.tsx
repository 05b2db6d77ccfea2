import { type JSX, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { ErrorText } from './error-text.tsx'

/** Shows what was asked for, or why it did not come. */
export function Loaded<T>(props: {
  resource: { (): T | undefined; error?: Error }
  children(value: T): JSX.Element
}) {
  return (
    <Show when={!props.resource.error} fallback={<ErrorText error={props.resource.error} />}>
      <Show when={props.resource()} keyed fallback={<p aria-busy="true">{t('app.loading')}</p>}>
        {(value) => props.children(value as T)}
      </Show>
    </Show>
  )
}
