import { type Component, lazy } from 'solid-js'
import { loadWithTexts } from '../../lib/with-texts.ts'

/** A component, by its name in a module that is loaded when the component is shown for the first time. */
export function lazyPart<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): Module[Name] {
  return lazy(async () => ({ default: (await load())[name] as Component })) as Module[Name]
}

/** The same with the texts that the first load leaves out. */
export function lazyPartWithTexts<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): Module[Name] {
  return lazyPart(() => loadWithTexts(load), name)
}
