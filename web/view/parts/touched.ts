let isFinger = false

const watch = { capture: true, passive: true }
addEventListener('pointerdown', ({ pointerType }) => (isFinger = pointerType === 'touch'), watch)
addEventListener('keydown', () => (isFinger = false), watch)

/** Whether a finger, rather than a key or a mouse, has caused what happens now. */
export function isByTouch(): boolean {
  return isFinger
}
