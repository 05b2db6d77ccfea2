import { type Component, createMemo, createRoot, createSignal, lazy, untrack } from 'solid-js'
import { whenLoadable } from '../../lib/load-part.ts'
import { loadWithTexts } from '../../lib/with-texts.ts'
import { ErrorText } from './error-text.tsx'
import { noticeFailure } from './notices.tsx'

/**
 * A component, by its name in a module that is loaded when the component is shown. If that fails, its place says why until it can be
 * loaded; or, where that would be no place for it, a notice does, and `close` is called.
 */
export function lazyPart<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
  close?: () => void,
): Module[Name] {
  const loading = () => lazy(() => load().then((module) => ({ default: module[name] as Component }), failed))
  let part = loading()
  const [tries, setTries] = createRoot(() => createSignal(0))
  function failed(error: unknown) {
    // Fails anew, and tells of it, the next time that the component is shown.
    part = loading()
    if (!close) {
      whenLoadable(error, load, () => setTries((count) => count + 1))
      return { default: () => <ErrorText error={error} /> }
    }
    close()
    noticeFailure(error)
    return { default: () => undefined }
  }
  const shown: Component = (props) =>
    createMemo(() => {
      tries()
      return untrack(() => part(props))
    }) as unknown as ReturnType<Component>
  return shown as Module[Name]
}

/** Loads a part whose texts are not in the first load. */
export function lazyPartWithTexts<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
  close?: () => void,
): Module[Name] {
  return lazyPart(() => loadWithTexts(load), name, close)
}
