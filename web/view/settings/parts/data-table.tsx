import './data-table.css'
import { type Accessor, createMemo, createSignal, For, type JSX, onCleanup, onMount, Show } from 'solid-js'
import { t } from '../../../lib/i18n.ts'
import { rowFinder } from '../../../lib/row-finder.ts'
import { windowOf } from '../../../lib/row-window.ts'
import { FilterField } from '../../parts/filter-field.tsx'
import { Icon } from '../../parts/icon.tsx'
import { keepFocus } from '../../parts/keep-focus.ts'
import { Known } from '../../parts/known.tsx'

export type Column<T> = {
  name: string
  /** Shows a part of a row. What reads the row follows its changes. */
  show(row: Accessor<T>): JSX.Element
  /** Orders rows when the user sorts by this column; it cannot be sorted by if this is left out. */
  compare?(a: T, b: T): number
  isNumber?: boolean
  /** Left out in narrow views. */
  isExtra?: boolean
  width?: string
}

/** The height of a row in pixels, which all rows have, so that only those in view are made. */
const rowHeight = 44

type Props<T> = {
  label: string
  rows: readonly T[]
  /** What tells a row from the others. It stays in the page while its thing changes, and with it the focus and a press that has begun. */
  idOf(row: T): unknown
  columns: Column<T>[]
  /** The words by which a row is found; no search is offered without. */
  textOf?(row: T): string
  /** Shown when there are no rows at all. */
  empty: string
  /** Buttons of a row, at its end. */
  actions?(row: Accessor<T>): JSX.Element
  /** The column by which rows are sorted first. */
  sortedBy?: number
  /** Controls beside the search. */
  tools?: JSX.Element
}

/** A list with a search, columns to sort by, and rows that are made as they come into view: also for 10,000 of them. */
export function DataTable<T extends object>(props: Props<T>) {
  const [words, setWords] = createSignal('')
  const [order, setOrder] = createSignal({ column: props.sortedBy ?? -1, isReversed: false })
  const sorted = createMemo(() => {
    const { column, isReversed } = order()
    const compare = props.columns[column]?.compare
    if (!compare) return [...props.rows]
    return [...props.rows].sort((a, b) => (isReversed ? compare(b, a) : compare(a, b)))
  })
  const through = rowFinder<T>((row) => props.textOf?.(row) ?? '')
  // The search keeps the order, so the rows are sorted when they change, and not with each key.
  const find = createMemo(() => through(sorted()))
  const shown = createMemo(() => find()(words()))
  const sortBy = (column: number) =>
    setOrder((now) => ({ column, isReversed: now.column === column && !now.isReversed }))
  return (
    <div class="data-table">
      <Show when={(props.textOf && props.rows.length > 5) || props.tools}>
        <div class="data-tools">
          <Show when={props.textOf && props.rows.length > 5}>
            <FilterField label={t('table.find')} value={words()} set={setWords} />
          </Show>
          {props.tools}
        </div>
      </Show>
      <Show
        when={shown().length > 0}
        fallback={<p class="set-note">{words() ? t('table.nothing') : props.empty}</p>}
      >
        <Rows {...props} rows={shown()} order={order()} sortBy={sortBy} />
      </Show>
    </div>
  )
}

type RowsProps<T> = Pick<Props<T>, 'label' | 'rows' | 'idOf' | 'columns' | 'actions'> & {
  order: { column: number; isReversed: boolean }
  sortBy(column: number): void
}

function Rows<T>(props: RowsProps<T>) {
  let box!: HTMLElement
  const [view, setView] = createSignal({ top: 0, height: 600 })
  const measure = () => setView({ top: box.scrollTop, height: box.clientHeight })
  onMount(() => {
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    onCleanup(() => observer.disconnect())
  })
  const inView = createMemo(() => windowOf({ ...view(), count: props.rows.length, rowHeight }))
  const byId = createMemo(() => {
    const { from, to } = inView()
    return new Map(props.rows.slice(from, to).map((row) => [props.idOf(row), row]))
  })
  const span = () => props.columns.length + (props.actions ? 1 : 0)
  return (
    // Scrolled with the keyboard, too.
    <section class="data-scroll" ref={box} onScroll={measure} tabindex="0" aria-label={props.label}>
      <table aria-label={props.label} aria-rowcount={props.rows.length + 1}>
        <Head {...props} />
        <tbody style={{ '--row-height': `${rowHeight}px` }}>
          <Spacer rows={inView().from} span={span()} />
          <For each={[...byId().keys()]}>
            {(id, index) => {
              // A memo: what changes in one row, and scrolling, leaves the others as they are.
              const found = createMemo(() => byId().get(id))
              return (
                <Known thing={found()}>
                  {(row) => <Row {...props} row={row} index={inView().from + index()} />}
                </Known>
              )
            }}
          </For>
          <Spacer rows={props.rows.length - inView().to} span={span()} />
        </tbody>
      </table>
    </section>
  )
}

function Row<T>(props: RowsProps<T> & { row: Accessor<T>; index: number }) {
  return (
    <tr ref={keepFocus} aria-rowindex={props.index + 2}>
      <For each={props.columns}>
        {(column) => (
          <td classList={{ number: column.isNumber ?? false, extra: column.isExtra ?? false }}>
            {column.show(props.row)}
          </td>
        )}
      </For>
      <Show when={props.actions}>{(actions) => <td class="data-actions">{actions()(props.row)}</td>}</Show>
    </tr>
  )
}

function Head<T>(props: RowsProps<T>) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        <For each={props.columns}>
          {(column, index) => {
            const isSorted = () => props.order.column === index()
            return (
              <th
                scope="col"
                classList={{ number: column.isNumber ?? false, extra: column.isExtra ?? false }}
                style={column.width ? { width: column.width } : {}}
                aria-sort={isSorted() ? (props.order.isReversed ? 'descending' : 'ascending') : undefined}
              >
                <Show when={column.compare} fallback={column.name}>
                  <button type="button" onClick={() => props.sortBy(index())}>
                    {column.name}
                    <span class="sort-mark" classList={{ on: isSorted(), reversed: props.order.isReversed }}>
                      <Icon name="down" />
                    </span>
                  </button>
                </Show>
              </th>
            )
          }}
        </For>
        <Show when={props.actions}>
          <th scope="col">
            <span class="visually-hidden">{t('table.actions')}</span>
          </th>
        </Show>
      </tr>
    </thead>
  )
}

function Spacer(props: { rows: number; span: number }) {
  return (
    <Show when={props.rows > 0}>
      <tr>
        <td colspan={props.span} class="spacer" style={{ height: `${props.rows * rowHeight}px` }} />
      </tr>
    </Show>
  )
}
