/** How long the pointer rests on a name before it is shown in full, in milliseconds. */
const rest = 300

/** Lines of messages, which one opens to read them, and what has a title of its own. */
const passedOver = '.inbox-preview, .outgoing-text, .compose-text, [title]:not([title=""])'

let shown: { name: Element; tip: HTMLElement } | undefined
let waiting: ReturnType<typeof setTimeout> | undefined

/** Shows names that are cut off in full, while the pointer is on them or the keyboard has led to them. */
export function showCutNames() {
  document.addEventListener('pointerover', ({ target, pointerType }) => {
    const name = pointerType === 'mouse' && target instanceof Element && around(target).find(isCut)
    if (!name || name === shown?.name) return
    clearTimeout(waiting)
    waiting = setTimeout(() => name.matches(':hover') && show(name), rest)
  })
  document.addEventListener('pointermove', (event) => shown && !isOver(event) && hide())
  document.addEventListener('focusin', ({ target }) => {
    hide()
    if (!(target instanceof Element) || !target.matches(':focus-visible')) return
    // The focus may be about to scroll the name into view.
    requestAnimationFrame(() => document.activeElement === target && show(...namesOf(target)))
  })
  for (const event of ['focusout', 'pointerdown', 'wheel']) document.addEventListener(event, hide)
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && hide(), true)
  addEventListener('hashchange', hide)
}

/** An element and what it is in, as far as a name can reach. */
function around(element: Element): Element[] {
  const all: Element[] = []
  for (let one: Element | null = element; one && all.length < 3; one = one.parentElement) all.push(one)
  return all
}

/** The names that are cut off in what has the focus: all in the title of a view, which takes no focus itself, and otherwise the first. */
function namesOf(focused: Element): Element[] {
  const title = focused.closest('.view-head')?.querySelector('h1')
  const names = [...(title ?? focused).querySelectorAll('*')].filter(isCut)
  return title ? names : names.slice(0, 1)
}

function isCut(one: Element) {
  if (one.scrollWidth <= one.clientWidth || one.closest(passedOver) || one.matches('input')) return false
  return getComputedStyle(one).textOverflow === 'ellipsis'
}

/** Lays the whole name over its place, in its own letters. Clicks go through it. */
function show(...names: Element[]) {
  const [name] = names
  hide()
  if (!name?.isConnected) return
  const tip = document.createElement('div')
  tip.className = 'cut-name'
  tip.dir = 'auto'
  // Screen readers have the whole name already.
  tip.ariaHidden = 'true'
  tip.textContent = names.map(({ textContent }) => textContent).join(' › ')
  const { fontSize, fontStyle, fontWeight } = getComputedStyle(name)
  Object.assign(tip.style, { fontSize, fontStyle, fontWeight })
  const layer = name.closest('dialog, [popover]') ?? document.body
  layer.append(tip)
  shown = { name, tip }
  const [at, { width, height }] = [name.getBoundingClientRect(), tip.getBoundingClientRect()]
  const wanted = document.documentElement.dir === 'rtl' ? at.right - width + 8 : at.left - 8
  tip.style.left = `${Math.max(4, Math.min(wanted, innerWidth - width - 4))}px`
  tip.style.top = `${Math.max(4, Math.min(at.top + (at.height - lineOf(tip)) / 2, innerHeight - height - 4))}px`
}

/** The height of the box with one line, so that the first line lies over that of the name. */
function lineOf(tip: HTMLElement) {
  const { lineHeight, paddingBlockStart, borderBlockStartWidth } = getComputedStyle(tip)
  return (
    Number.parseFloat(lineHeight) +
    2 * (Number.parseFloat(paddingBlockStart) + Number.parseFloat(borderBlockStartWidth))
  )
}

function isOver({ clientX, clientY }: PointerEvent) {
  return [shown?.name, shown?.tip].some((one) => {
    const box = one?.getBoundingClientRect()
    return box && clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom
  })
}

function hide() {
  clearTimeout(waiting)
  shown?.tip.remove()
  shown = undefined
}
