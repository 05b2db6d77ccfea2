/** The icons, as lines on a grid of 24. */
const paths = {
  inbox: 'M3 13h5l1.5 3h5L16 13h5M5 5h14l2 8v6H3v-6z',
  recent: 'M12 7v5l3 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0',
  feed: 'M4 6h16M4 12h16M4 18h10',
  mention: 'M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0zM16 8v5.5a2.5 2.5 0 0 0 5 0V12a9 9 0 1 0-3.5 7.1',
  star: 'M12 4l2.4 5.2 5.6.7-4.1 3.9 1.1 5.6-5-2.8-5 2.8 1.1-5.6L4 9.9l5.6-.7z',
  drafts: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  hash: 'M9 4L7 20M17 4l-2 16M4 9h16M4 15h16',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  globe: 'M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0M3 12h18M12 3c3 3 3 15 0 18c-3-3-3-15 0-18',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5',
  plus: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6L6 18',
  menu: 'M4 7h16M4 12h16M4 17h16',
  more: 'M6 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0M13 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0M20 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0',
  back: 'M15 5l-7 7 7 7',
  down: 'M6 9l6 6 6-6',
  right: 'M9 6l6 6-6 6',
  send: 'M4 12L20 4l-5 16-3.5-6.5zM11.5 13.5L20 4',
  smile: 'M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0M8.5 14.5c1.5 2.5 5.5 2.5 7 0M9 9.5h.01M15 9.5h.01',
  reply: 'M10 6L4 12l6 6M4 12h9c4 0 7 2 7 7',
  edit: 'M4 20h4L19 9l-4-4L4 16z',
  attach: 'M20 11l-8.5 8.5a5 5 0 0 1-7-7L13 4a3.5 3.5 0 0 1 5 5l-8.5 8.5a2 2 0 0 1-3-3L14 7',
  list: 'M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01',
  spoiler:
    'M4 4l16 16M9.5 6.5C15 5 19.5 8 22 12c-.7 1.3-1.6 2.4-2.7 3.4M6 8c-1.6 1-3 2.4-4 4c3.3 5.5 9 7.4 14 5',
  snippet: 'M6 4h12v16l-6-4-6 4z',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  code: 'M8 8l-4 4 4 4M16 8l4 4-4 4',
  eye: 'M2 12c4-8 16-8 20 0c-4 8-16 8-20 0zM15 12a3 3 0 1 1-6 0 3 3 0 0 1 6 0',
  check: 'M5 12l5 5L19 7',
  people:
    'M12 11a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0M2.5 20c.5-4 3-5.5 6-5.5s5.5 1.5 6 5.5M16 7.5a3.5 3.5 0 0 1 0 7M18 15c2 .5 3.5 2 4 5',
  bell: 'M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4',
  mute: 'M5 9h4l5-4v14l-5-4H5zM18 9l4 6M22 9l-4 6',
  video: 'M3 7h12v10H3zM15 11l6-4v10l-6-4',
  pin: 'M9 4h6l-1 6 4 4H6l4-4zM12 14v6',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  move: 'M4 12h14M13 7l5 5-5 5',
  history: 'M4 12a8 8 0 1 0 3-6.2M4 4v4h4M12 8v4l3 2',
  quote: 'M9 7H5v6h4zc0 4-1 6-3 7M19 7h-4v6h4c0 4-1 6-3 7',
  settings:
    'M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.1 2.1M16.3 16.3l2.1 2.1M5.6 18.4l2.1-2.1M16.3 7.7l2.1-2.1',
  clock: 'M12 7v5h4M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0',
  warning: 'M12 4l9 16H3zM12 10v4M12 17h.01',
  leave: 'M14 4h5v16h-5M10 8l-4 4 4 4M6 12h9',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
} as const

/** An icon by its name; or by its lines, if a single screen has it, which the first load goes without. */
export type IconName = keyof typeof paths | `M${string}`

/** Icons that point in the direction of the text, and are mirrored where the text runs from right to left. */
const directed = new Set<IconName>(['right', 'back', 'send', 'reply', 'move', 'list', 'feed', 'leave'])

/** An icon beside a text, or within a control that has a label of its own. */
export function Icon(props: { name: IconName }) {
  return (
    <svg
      class="icon"
      classList={{ directed: directed.has(props.name) }}
      viewBox="0 0 24 24"
      aria-hidden="true"
    >
      <path d={paths[props.name as keyof typeof paths] ?? props.name} />
    </svg>
  )
}
