/** Files that are dropped where nothing takes them: the browser would open them in place of the page. */
export function holdDrops() {
  document.addEventListener('dragover', (event) => {
    const { dataTransfer, target } = event
    if (event.defaultPrevented || !dataTransfer?.types.includes('Files')) return
    if (target instanceof HTMLInputElement && target.type === 'file') return
    event.preventDefault()
    dataTransfer.dropEffect = 'none'
  })
}
