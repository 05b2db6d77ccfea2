import { createRoot, createSignal } from 'solid-js'

const storageKey = 'rookery.single-keys'
const read = () => localStorage.getItem(storageKey) !== 'off'
const [areSingleKeysOn, setOn] = createRoot(() => createSignal(read()))
addEventListener('storage', () => setOn(read()))

/** Whether shortcuts of a single letter or sign work in this browser; the user may turn them off. */
export { areSingleKeysOn }

export function turnSingleKeys(isOn: boolean) {
  localStorage.setItem(storageKey, isOn ? 'on' : 'off')
  setOn(isOn)
}
