const storageKey = 'rookery.single-keys'

/** Whether shortcuts of a single letter or sign work in this browser; the user may turn them off. */
export function areSingleKeysOn(): boolean {
  return localStorage.getItem(storageKey) !== 'off'
}

export function turnSingleKeys(isOn: boolean) {
  localStorage.setItem(storageKey, isOn ? 'on' : 'off')
}
