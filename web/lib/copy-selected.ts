/** Copies a text as if the user had selected it. The focus returns to where it was. */
export function copySelected(text: string) {
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.ariaHidden = 'true'
  field.style.position = 'fixed'
  field.style.opacity = '0'
  // Elements outside of an open dialog cannot have the focus.
  const layer = document.querySelector('dialog:modal') ?? document.body
  layer.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  if (!isCopied) throw new Error('The browser does not allow copying.')
}
