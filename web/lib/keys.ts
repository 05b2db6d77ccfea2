// The one table of keyboard shortcuts: the bindings, the sheet that explains them, and the hints in menus come from it.

type Shortcut = {
  action: string
  /** The strokes that call it, in the form that `strokeOf` returns. */
  keys: readonly string[]
  /** The key of its text, if that is not `keys.` and the action. */
  text?: string
  /** Works while a text is written, and only there. The box in which it is written handles it. */
  isForWriting?: true
  /** Done by the browser or by the element that has the focus; listed so that the sheet is complete. */
  isNative?: true
}

export const shortcutGroups = {
  move: [
    { action: 'next', keys: ['j', 'ArrowDown'] },
    { action: 'previous', keys: ['k', 'ArrowUp'] },
    { action: 'page_down', keys: ['PageDown', 'Space', 'Shift+J'] },
    { action: 'page_up', keys: ['PageUp', 'Shift+Space', 'Shift+K'] },
    { action: 'start', keys: ['Home'] },
    { action: 'end', keys: ['End', 'Shift+G'] },
    { action: 'history', keys: ['Alt+ArrowLeft', 'Alt+ArrowRight'], isNative: true },
    { action: 'previous_view', keys: ['Shift+A'] },
    { action: 'next_view', keys: ['Shift+D'] },
  ],
  go: [
    { action: 'inbox', keys: ['i', 'Shift+I'], text: 'view.inbox' },
    { action: 'recent', keys: ['t'], text: 'view.recent' },
    { action: 'feed', keys: ['a'], text: 'view.feed' },
    { action: 'starred', keys: ['*'], text: 'view.starred' },
    { action: 'drafts', keys: ['d'], text: 'view.drafts' },
    { action: 'directs', keys: ['Shift+P'], text: 'view.directs' },
    { action: 'next_unread_topic', keys: ['n'] },
    { action: 'next_unread_followed', keys: ['Shift+N'] },
    { action: 'next_unread_direct', keys: ['p'] },
    { action: 'zoom', keys: ['s'] },
    { action: 'context', keys: ['z'] },
    { action: 'search', keys: ['/'], text: 'search.placeholder' },
    { action: 'jump', keys: ['Ctrl+k'] },
    { action: 'find_channel', keys: ['q'], text: 'channels.filter' },
    { action: 'find_person', keys: ['w'] },
    { action: 'help', keys: ['?'] },
    { action: 'escape', keys: ['Escape'] },
  ],
  message: [
    { action: 'reply', keys: ['Enter', 'r'], text: 'message.reply' },
    { action: 'reply_direct', keys: ['Shift+R'], text: 'message.reply_direct' },
    { action: 'quote', keys: ['>'], text: 'message.quote' },
    { action: 'forward', keys: ['<'], text: 'message.forward' },
    { action: 'mention', keys: ['@'], text: 'message.mention' },
    { action: 'edit', keys: ['e'] },
    { action: 'edit_last', keys: ['ArrowLeft'] },
    { action: 'move', keys: ['m'], text: 'message.move' },
    { action: 'mark', keys: ['Shift+X'], text: 'message.select' },
    { action: 'thumbs_up', keys: ['+'] },
    { action: 'first_reaction', keys: ['='] },
    { action: 'react', keys: [':'], text: 'message.react' },
    { action: 'star', keys: ['Ctrl+s'] },
    { action: 'user_card', keys: ['u'] },
    { action: 'image', keys: ['v'] },
    { action: 'collapse', keys: ['-'] },
    { action: 'edit_history', keys: ['Shift+H'], text: 'message.history' },
    { action: 'receipts', keys: ['Shift+V'], text: 'message.receipts' },
    { action: 'mark_unread', keys: ['Shift+U'], text: 'message.mark_unread' },
    { action: 'mute_topic', keys: ['Shift+M'] },
    { action: 'follow_topic', keys: ['Shift+F'] },
  ],
  write: [
    { action: 'new_topic', keys: ['c'] },
    { action: 'new_direct', keys: ['x'], text: 'rail.new_direct' },
    { action: 'target', keys: ['Ctrl+.'], isForWriting: true },
    { action: 'send', keys: ['Ctrl+Enter', 'Enter'], isForWriting: true },
    { action: 'new_line', keys: ['Shift+Enter'], isForWriting: true },
    { action: 'bold', keys: ['Ctrl+b'], isForWriting: true },
    { action: 'italic', keys: ['Ctrl+i'], isForWriting: true },
    { action: 'link', keys: ['Ctrl+Shift+L'], isForWriting: true },
    { action: 'preview', keys: ['Alt+p'], isForWriting: true },
    { action: 'leave_writing', keys: ['Escape'], isForWriting: true },
  ],
} as const satisfies Record<string, readonly Shortcut[]>

export const shortcuts = Object.values(shortcutGroups).flat()

/** The name of an action that a shortcut starts. */
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
