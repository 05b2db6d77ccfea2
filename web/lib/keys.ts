// The one table of keyboard shortcuts: the bindings, the sheet that explains them, and the hints in menus come from it.

export type KeyGroup = 'move' | 'go' | 'message' | 'write'

type Shortcut = {
  action: string
  /** The strokes that call it, in the form that `strokeOf` returns. */
  keys: readonly string[]
  /** The key of its text; the sheet checks that it exists. */
  text: string
  group: KeyGroup
  /** Works while a text is written, and only there. The box in which it is written handles it. */
  isForWriting?: true
  /** Done by the browser or by the element that has the focus; listed so that the sheet is complete. */
  isNative?: true
}

export const shortcuts = [
  { action: 'next', keys: ['j', 'ArrowDown'], text: 'keys.next', group: 'move' },
  { action: 'previous', keys: ['k', 'ArrowUp'], text: 'keys.previous', group: 'move' },
  { action: 'page_down', keys: ['PageDown', 'Space', 'Shift+J'], text: 'keys.page_down', group: 'move' },
  { action: 'page_up', keys: ['PageUp', 'Shift+Space', 'Shift+K'], text: 'keys.page_up', group: 'move' },
  { action: 'start', keys: ['Home'], text: 'keys.start', group: 'move' },
  { action: 'end', keys: ['End', 'Shift+G'], text: 'keys.end', group: 'move' },
  {
    action: 'history',
    keys: ['Alt+ArrowLeft', 'Alt+ArrowRight'],
    text: 'keys.history',
    group: 'move',
    isNative: true,
  },
  { action: 'previous_view', keys: ['Shift+A'], text: 'keys.previous_view', group: 'move' },
  { action: 'next_view', keys: ['Shift+D'], text: 'keys.next_view', group: 'move' },

  { action: 'inbox', keys: ['i', 'Shift+I'], text: 'view.inbox', group: 'go' },
  { action: 'recent', keys: ['t'], text: 'view.recent', group: 'go' },
  { action: 'feed', keys: ['a'], text: 'view.feed', group: 'go' },
  { action: 'starred', keys: ['*'], text: 'view.starred', group: 'go' },
  { action: 'drafts', keys: ['d'], text: 'view.drafts', group: 'go' },
  { action: 'directs', keys: ['Shift+P'], text: 'view.directs', group: 'go' },
  { action: 'next_unread_topic', keys: ['n'], text: 'keys.next_unread_topic', group: 'go' },
  { action: 'next_unread_followed', keys: ['Shift+N'], text: 'keys.next_unread_followed', group: 'go' },
  { action: 'next_unread_direct', keys: ['p'], text: 'keys.next_unread_direct', group: 'go' },
  { action: 'zoom', keys: ['s'], text: 'keys.zoom', group: 'go' },
  { action: 'context', keys: ['z'], text: 'keys.context', group: 'go' },
  { action: 'search', keys: ['/'], text: 'search.placeholder', group: 'go' },
  { action: 'jump', keys: ['Ctrl+k'], text: 'keys.jump', group: 'go' },
  { action: 'find_channel', keys: ['q'], text: 'channels.filter', group: 'go' },
  { action: 'find_person', keys: ['w'], text: 'keys.find_person', group: 'go' },
  { action: 'help', keys: ['?'], text: 'keys.help', group: 'go' },
  { action: 'escape', keys: ['Escape'], text: 'keys.escape', group: 'go' },

  { action: 'reply', keys: ['Enter', 'r'], text: 'message.reply', group: 'message' },
  { action: 'reply_direct', keys: ['Shift+R'], text: 'message.reply_direct', group: 'message' },
  { action: 'quote', keys: ['>'], text: 'message.quote', group: 'message' },
  { action: 'forward', keys: ['<'], text: 'message.forward', group: 'message' },
  { action: 'mention', keys: ['@'], text: 'message.mention', group: 'message' },
  { action: 'edit', keys: ['e'], text: 'keys.edit', group: 'message' },
  { action: 'edit_last', keys: ['ArrowLeft'], text: 'keys.edit_last', group: 'message' },
  { action: 'move', keys: ['m'], text: 'message.move', group: 'message' },
  { action: 'mark', keys: ['Shift+X'], text: 'message.select', group: 'message' },
  { action: 'thumbs_up', keys: ['+'], text: 'keys.thumbs_up', group: 'message' },
  { action: 'first_reaction', keys: ['='], text: 'keys.first_reaction', group: 'message' },
  { action: 'react', keys: [':'], text: 'message.react', group: 'message' },
  { action: 'star', keys: ['Ctrl+s'], text: 'keys.star', group: 'message' },
  { action: 'user_card', keys: ['u'], text: 'keys.user_card', group: 'message' },
  { action: 'image', keys: ['v'], text: 'keys.image', group: 'message' },
  { action: 'collapse', keys: ['-'], text: 'keys.collapse', group: 'message' },
  { action: 'edit_history', keys: ['Shift+H'], text: 'message.history', group: 'message' },
  { action: 'receipts', keys: ['Shift+V'], text: 'message.receipts', group: 'message' },
  { action: 'mark_unread', keys: ['Shift+U'], text: 'message.mark_unread', group: 'message' },
  { action: 'mute_topic', keys: ['Shift+M'], text: 'keys.mute_topic', group: 'message' },
  { action: 'follow_topic', keys: ['Shift+F'], text: 'keys.follow_topic', group: 'message' },

  { action: 'new_topic', keys: ['c'], text: 'keys.new_topic', group: 'write' },
  { action: 'new_direct', keys: ['x'], text: 'rail.new_direct', group: 'write' },
  { action: 'target', keys: ['Ctrl+.'], text: 'keys.target', group: 'write', isForWriting: true },
  { action: 'send', keys: ['Ctrl+Enter', 'Enter'], text: 'keys.send', group: 'write', isForWriting: true },
  { action: 'new_line', keys: ['Shift+Enter'], text: 'keys.new_line', group: 'write', isForWriting: true },
  { action: 'bold', keys: ['Ctrl+b'], text: 'keys.bold', group: 'write', isForWriting: true },
  { action: 'italic', keys: ['Ctrl+i'], text: 'keys.italic', group: 'write', isForWriting: true },
  { action: 'link', keys: ['Ctrl+Shift+L'], text: 'keys.link', group: 'write', isForWriting: true },
  { action: 'preview', keys: ['Alt+p'], text: 'keys.preview', group: 'write', isForWriting: true },
  {
    action: 'leave_writing',
    keys: ['Escape'],
    text: 'keys.leave_writing',
    group: 'write',
    isForWriting: true,
  },
] as const satisfies readonly Shortcut[]

/** What a shortcut does. */
export type Action = (typeof shortcuts)[number]['action']

const all: readonly Shortcut[] = shortcuts
const outside = new Map(
  all.flatMap((one) => (one.isForWriting || one.isNative ? [] : one.keys.map((key) => [key, one]))),
)

/** The parts of a keyboard event that count. */
export type Stroke = {
  key: string
  code: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
}

/**
 * Returns the name of a keystroke: `j`, `Shift+J`, `Ctrl+k`, `?`. Signs name themselves, however the keyboard makes them.
 * The command key of a Mac counts as Ctrl. Letters of other scripts count as the Latin letter on the same key.
 */
export function strokeOf(event: Stroke): string {
  const parts: string[] = []
  if (event.ctrlKey || event.metaKey) parts.push('Ctrl')
  if (event.altKey) parts.push('Alt')
  const key = nameOf(event)
  const isLetter = /^[a-z]$/.test(key)
  if (event.shiftKey && (isLetter || key.length > 1)) parts.push('Shift')
  parts.push(isLetter && event.shiftKey ? key.toUpperCase() : key)
  return parts.join('+')
}

function nameOf({ key, code }: Stroke): string {
  if (key === ' ') return 'Space'
  if (key.length > 1) return key
  const ascii = key.charCodeAt(0) < 128
  const letter = ascii ? undefined : /^Key([A-Z])$/.exec(code)?.[1]
  return (letter ?? key).toLowerCase()
}

/** Whether a stroke is a letter, digit or sign alone, which a slip or speech input may make. */
export function isSingleKey(stroke: string): boolean {
  const key = stroke.replace(/^Shift\+/, '')
  return [...key].length === 1
}

/** Returns what a stroke does outside of the writing of texts. */
export function actionOf(stroke: string): Action | undefined {
  return outside.get(stroke)?.action as Action | undefined
}

/** The first key of an action, for hints. */
export function hintOf(action: Action): string {
  return shownKey(all.find((one) => one.action === action)?.keys[0] ?? '')
}

const shown: Record<string, string> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  PageDown: 'PgDn',
  PageUp: 'PgUp',
  Escape: 'Esc',
}

/** A stroke as keyboards name it: `Shift+↓`. */
export function shownKey(stroke: string): string {
  return stroke
    .split(/\+(?=.)/)
    .map((part) => shown[part] ?? (/^[a-z]$/.test(part) && stroke.length > 1 ? part.toUpperCase() : part))
    .join('+')
}
